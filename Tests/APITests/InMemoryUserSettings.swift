import Domain
import Foundation
import Runtime
import Synchronization

/// Users' settings in memory, with the meaning that PostgreSQL gives them.
final class InMemoryUserSettings: UserSettingsRecords {
    private let users: InMemoryUsers
    private let kept = Mutex<[UserID: StoredUserSettings]>([:])

    init(_ users: InMemoryUsers) { self.users = users }

    func settings(
        of user: UserID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> StoredUserSettings? {
        guard let account = try await users.user(user, of: tenant, by: deadline) else { return nil }
        let first = StoredUserSettings(settings: UserSettings(), version: 0, updatedAt: account.createdAt)
        return kept.withLock { $0[user] } ?? first
    }

    func store(
        _ settings: UserSettings,
        of user: UserID,
        tenant: TenantID,
        known: Int64,
        at date: Date,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        guard try await users.user(user, of: tenant, by: deadline)?.isActive == true else { return false }
        let isStored = kept.withLock { kept in
            guard (kept[user]?.version ?? 0) == known else { return false }
            kept[user] = StoredUserSettings(settings: settings, version: known + 1, updatedAt: date)
            return true
        }
        if isStored { users.note(audit) }
        return isStored
    }

    func mailLanguage(
        of user: UserID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> MailLanguage? {
        kept.withLock { $0[user]?.settings.language }.map { MailLanguage(tag: $0) }
    }
}
