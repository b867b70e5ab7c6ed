import Domain
import Runtime
import Synchronization

/// Sends what users sign in with, after the answer to whoever asked for it.
///
/// Neither the answer nor its time tells whether there is an account. The requests in progress are bounded, and so are those of a
/// network address.
final class SignInMessages: Sendable {
    private static let waiting = 64
    private static let sendingTime = Duration.seconds(30)

    private let kind: String
    private let time: any TimeSource
    private let log: Log
    private let state = Mutex((running: 0, requests: SignInThrottle()))

    /// - Parameter kind: Name of what is sent, in the log.
    init(_ kind: String, time: any TimeSource, log: Log) {
        (self.kind, self.time, self.log) = (kind, time, log)
    }

    /// The requests that are in progress.
    var running: Int { state.withLock { $0.running } }

    /// Counts a request.
    ///
    /// - Throws: ``APIError/tooManySignIns(retryAfter:)`` for a network address that asks too often, whatever it asks.
    func admit(_ address: String) throws(APIError) {
        let wait = state.withLock { state in
            let wait = state.requests.wait(of: address, at: time.now)
            if wait == nil { state.requests.note(failureFrom: address, at: time.now) }
            return wait
        }
        if let wait { throw .tooManySignIns(retryAfter: wait) }
    }

    /// Begins to send, if there is room; returns at once.
    ///
    /// - Parameter send: Returns the user and whether the provider has taken it; nil when nobody gets anything.
    func begin(_ send: @escaping @Sendable (Deadline) async throws(RecordsError) -> (UserID, isSent: Bool)?) {
        let isTaken = state.withLock { state in
            guard state.running < Self.waiting else { return false }
            state.running += 1
            return true
        }
        guard isTaken else { return log.warning("\(kind)_not_sent", "reason" ~ "too many wait") }
        Task {
            do throws(RecordsError) {
                if let (user, isSent) = try await send(Deadline(after: Self.sendingTime)) {
                    let event = isSent ? "\(kind)_sent" : "\(kind)_not_sent"
                    log.write(isSent ? .info : .warning, event, ["user" ~ user.description])
                }
            } catch {
                log.warning("\(kind)_not_sent", "reason" ~ "\(error)")
            }
            state.withLock { $0.running -= 1 }
        }
    }
}
