import Conversation
import Runtime

/// The dependencies shared by a pool's lanes.
struct PoolContext: Sendable {
    let name: String
    let address: PostgresAddress
    let role: String
    let settings: PoolSettings
    let resolver: HostResolver
    let canceller: Canceller
    let health: PostgresHealth
    let metrics: PostgresMetrics

    /// True when the address contains host names that must be resolved first.
    var mustResolve: Bool {
        guard let host = address.parameters["host"] else { return false }
        return !host.hasPrefix("/") && address.parameters["hostaddr"] == nil
    }

    func countReady() {
        health.gained()
        metrics.connections.add(1, name)
        metrics.connects.add(1, name, "ok")
    }

    func countLost(_ failure: ConnectionFailure, wasReady: Bool) {
        if wasReady {
            health.lost(failure)
            metrics.connections.add(-1, name)
        } else if failure != .closed {
            health.failed(failure)
            metrics.connects.add(1, name, "failed")
        }
    }

    func countWaiting(_ change: Double) { metrics.waiting.add(change, name) }

    func countCancel() { metrics.cancels.add(1, name) }

    func count(_ answer: Ticket.Answer, of ticket: Ticket) {
        switch answer {
        case .failure(.timedOut): health.leftUnanswered()
        case .failure(.unavailable), .failure(.overloaded), .failure(.cancelled): break
        default: health.answered()
        }
        metrics.count(answer, of: ticket, in: name)
    }
}
