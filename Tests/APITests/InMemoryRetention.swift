import Domain
import Foundation
import Runtime
import Synchronization

/// For how long tenants keep what, in memory.
final class InMemoryRetention: RetentionRecords {
    private struct State {
        var days: [TenantID: [RetentionKind: Int]] = [:]
        var audited: [AuditEntry] = []
    }

    private let state = Mutex(State())

    /// The lines of the audit trail.
    var audited: [AuditEntry] { state.withLock { $0.audited } }

    func retention(of tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> [RetentionKind: Int] {
        state.withLock { $0.days[tenant] ?? [:] }
    }

    func setRetention(
        _ days: [RetentionKind: Int],
        of tenant: TenantID,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) {
        state.withLock { state in
            state.days[tenant] = days
            state.audited.append(audit)
        }
    }
}
