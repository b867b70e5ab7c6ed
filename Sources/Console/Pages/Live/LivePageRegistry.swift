import Domain
import Runtime
import Synchronization

/// Counts open live pages.
///
/// Their number is limited, and none may open once the service stops.
final class LivePageRegistry: Sendable {
    private struct State: Sendable {
        var counts: [TenantID: Int] = [:]
        var isClosed = false
    }

    /// Limit on open live pages.
    static let most = 200

    private let state = Mutex(State())
    private let watching: Gauge

    init(_ metrics: Metrics) {
        watching = metrics.gauge("hearth_console_watchers", "Open live pages.")
    }

    /// Tenants with open live pages.
    var tenants: Set<TenantID> { state.withLock { $0.isClosed ? [] : Set($0.counts.keys) } }

    /// True if the live pages must end.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Registers a page of a tenant; false if the limit is reached.
    func join(_ tenant: TenantID) -> Bool {
        let hasJoined = state.withLock { state in
            guard state.counts.values.reduce(0, +) < Self.most, !state.isClosed else { return false }
            state.counts[tenant, default: 0] += 1
            return true
        }
        if hasJoined { watching.add(1) }
        return hasJoined
    }

    /// Unregisters a page that ``join(_:)`` registered.
    func leave(_ tenant: TenantID) {
        state.withLock { state in
            let count = state.counts[tenant, default: 1] - 1
            state.counts[tenant] = count > 0 ? count : nil
        }
        watching.add(-1)
    }

    /// Ends the live pages, each within 250 ms.
    func close() { state.withLock { $0.isClosed = true } }
}
