import Domain
import Foundation
import Runtime
import Synchronization

/// One-time links in memory, with the meaning that PostgreSQL gives them.
final class InMemoryLinks: SignInLinkRecords {
    private struct Link {
        let user: User
        let end: Date
    }

    private let users: InMemoryUsers
    private let links = Mutex<[String: Link]>([:])

    init(_ users: InMemoryUsers) { self.users = users }

    func account(
        with email: String,
        of tenant: TenantID?,
        by deadline: Deadline
    ) async throws(RecordsError) -> User? {
        users.account { $0.email == email && (tenant == nil || $0.tenant == tenant) }
    }

    func storeLink(
        _ digest: String,
        of user: User,
        at date: Date,
        expiresAt end: Date,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        links.withLock { links in
            links = links.filter { $0.value.end > date }
            guard links.count(where: { $0.value.user.id == user.id }) < limit else { return false }
            links[digest] = Link(user: user, end: end)
            return true
        }
    }

    func useLink(
        _ digest: String,
        tenant: TenantID,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> User? {
        guard let link = links.withLock({ $0.removeValue(forKey: digest) }), link.end > date,
            let user = try await users.user(link.user.id, of: tenant, by: deadline), user.isActive
        else { return nil }
        return user
    }
}
