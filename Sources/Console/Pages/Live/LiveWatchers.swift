import Conversation
import Runtime
import Synchronization

/// Who watches live pages: so many at most, and nobody once the service ends.
final class LiveWatchers: Sendable {
    private struct State: Sendable {
        var counts: [TenantID: Int] = [:]
        var isClosed = false
    }

    /// How many may watch at once.
    static let most = 200

    private let state = Mutex(State())
    private let watching: Gauge

    init(_ metrics: Metrics) {
        watching = metrics.gauge("hearth_console_watchers", "Open live pages.")
    }

    /// The tenants whose operators watch.
    var tenants: Set<TenantID> { state.withLock { $0.isClosed ? [] : Set($0.counts.keys) } }

    /// Whether the live pages are to end.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Lets somebody of a tenant watch; false when as many do as may.
    func join(_ tenant: TenantID) -> Bool {
        let hasJoined = state.withLock { state in
            guard state.counts.values.reduce(0, +) < Self.most, !state.isClosed else { return false }
            state.counts[tenant, default: 0] += 1
            return true
        }
        if hasJoined { watching.add(1) }
        return hasJoined
    }

    /// Ends what ``join(_:)`` began.
    func leave(_ tenant: TenantID) {
        state.withLock { state in
            let count = state.counts[tenant, default: 1] - 1
            state.counts[tenant] = count > 0 ? count : nil
        }
        watching.add(-1)
    }

    /// Ends the live pages, each within a quarter of a second.
    func close() { state.withLock { $0.isClosed = true } }
}
