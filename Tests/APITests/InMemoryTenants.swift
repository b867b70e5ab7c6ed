import Domain
import Foundation
import Runtime
import Synchronization

/// Tenants in memory, with the meaning that PostgreSQL gives them.
final class InMemoryTenants: TenantRecords {
    private struct State {
        var tenants: [TenantEntry] = []
        var audited: [AuditEntry] = []
    }

    private let state = Mutex(State())
    private let time: any TimeSource

    init(_ time: any TimeSource) { self.time = time }

    /// The lines of the audit trail.
    var audited: [AuditEntry] { state.withLock { $0.audited } }

    func add(
        _ tenant: TenantID,
        name: String,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        let entry = TenantEntry(id: tenant, name: name, createdAt: time.date)
        return state.withLock { state in
            guard !state.tenants.contains(where: { $0.id == tenant }) else { return false }
            state.tenants.append(entry)
            state.audited.append(audit)
            return true
        }
    }

    func tenant(_ tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> TenantEntry? {
        state.withLock { $0.tenants.first { $0.id == tenant } }
    }

    func tenants(
        after cursor: PageCursor?,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> Page<TenantEntry> {
        let key: (PageCursor) -> (Int64, String) = { ($0.microseconds, $0.id.uuidString.lowercased()) }
        let place: (TenantEntry) -> PageCursor = { PageCursor(at: $0.createdAt, id: $0.id.uuid) }
        return state.withLock { state in
            let sorted = state.tenants.sorted { key(place($0)) > key(place($1)) }
            let rest = sorted.filter { entry in cursor.map { key(place(entry)) < key($0) } ?? true }
            let items = Array(rest.prefix(limit))
            return Page(items: items, next: rest.count > limit ? items.last.map(place) : nil)
        }
    }

    func tenants(
        _ page: PageNumber,
        by deadline: Deadline
    ) async throws(RecordsError) -> (items: [TenantEntry], total: Int) {
        let all = try await tenants(after: nil, limit: .max, by: deadline).items
        return (Array(all.dropFirst(page.offset).prefix(page.size)), all.count)
    }

    func rename(
        _ tenant: TenantID,
        to name: String,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> TenantEntry? {
        change(tenant, audit) { TenantEntry(id: $0.id, name: name, createdAt: $0.createdAt, closedAt: $0.closedAt) }
    }

    func setClosed(
        _ isClosed: Bool,
        _ tenant: TenantID,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> TenantEntry? {
        let date = time.date
        return change(tenant, audit) { old in
            guard (old.closedAt != nil) != isClosed else { return old }
            return TenantEntry(id: old.id, name: old.name, createdAt: old.createdAt, closedAt: isClosed ? date : nil)
        }
    }

    private func change(
        _ tenant: TenantID,
        _ audit: AuditEntry,
        _ body: (TenantEntry) -> TenantEntry
    ) -> TenantEntry? {
        state.withLock { state in
            guard let place = state.tenants.firstIndex(where: { $0.id == tenant }) else { return nil }
            let (old, new) = (state.tenants[place], body(state.tenants[place]))
            state.tenants[place] = new
            if old.closedAt != new.closedAt || audit.action == "tenant_renamed" { state.audited.append(audit) }
            return new
        }
    }
}
