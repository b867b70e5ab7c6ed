package import Runtime
import Synchronization

/// What belongs to one sample while it runs: its clock, and what keeps it from being judged.
package final class SampleContext: Sendable {
    /// The sample's clock.
    package let time: any TimeSource
    private let misses = Mutex<[CassetteMiss]>([])

    /// Makes a context.
    package init(time: any TimeSource) {
        self.time = time
    }

    /// Notes a request that no recording answers.
    package func note(_ miss: CassetteMiss) {
        misses.withLock { $0.append(miss) }
    }

    /// The misses so far.
    package var missed: [CassetteMiss] { misses.withLock { $0 } }
}
