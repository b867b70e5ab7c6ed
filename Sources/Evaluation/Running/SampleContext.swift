package import Runtime
import Synchronization

/// What belongs to one sample while it runs: its clock, and what keeps it from being judged.
package final class SampleContext: Sendable {
    /// The sample's clock.
    package let time: any TimeSource
    private let attempt: Int
    private let misses = Mutex<[CassetteMiss]>([])
    private let requests = Mutex<[String: Int]>([:])

    /// Makes a context.
    ///
    /// - Parameter attempt: Which of the fixture's samples it is, from 1.
    package init(time: any TimeSource, attempt: Int = 1) {
        self.time = time
        self.attempt = attempt
    }

    /// Which take of a request's recordings answers it now, from 1: each sample begins with its own, and goes on from there.
    func take(of key: String) -> Int {
        requests.withLock { requests in
            defer { requests[key, default: 0] += 1 }
            return attempt + requests[key, default: 0]
        }
    }

    /// Notes a request that no recording answers.
    package func note(_ miss: CassetteMiss) {
        misses.withLock { $0.append(miss) }
    }

    /// The misses so far.
    package var missed: [CassetteMiss] { misses.withLock { $0 } }
}
