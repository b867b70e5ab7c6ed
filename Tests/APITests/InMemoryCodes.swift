import Domain
import Foundation
import Runtime
import Synchronization

/// The codes by which users sign in, in memory, with the meaning that PostgreSQL gives them.
final class InMemoryCodes: SignInCodeRecords {
    private struct Code {
        let digest: String
        let end: Date
        var attempts = 0
    }

    private let users: InMemoryUsers
    private let codes = Mutex<[UserID: Code]>([:])

    private let uses = Mutex(0)

    /// Number of looks at a code.
    var looks: Int { uses.withLock { $0 } }

    init(_ users: InMemoryUsers) { self.users = users }

    func account(
        withPhone phone: String,
        of tenant: TenantID?,
        by deadline: Deadline
    ) async throws(RecordsError) -> User? {
        users.account { $0.phone == phone && (tenant == nil || $0.tenant == tenant) }
    }

    func storeCode(
        _ digest: String,
        of user: User,
        expiresAt end: Date,
        by deadline: Deadline
    ) async throws(RecordsError) {
        codes.withLock { $0[user.id] = Code(digest: digest, end: end) }
    }

    func useCode(
        _ digest: String,
        of user: UserID,
        tenant: TenantID,
        atMost most: Int,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        uses.withLock { $0 += 1 }
        return codes.withLock { codes in
            guard let code = codes[user], code.end > date, code.attempts < most else { return false }
            codes[user]?.attempts += 1
            guard code.digest == digest else { return false }
            codes[user] = nil
            return true
        }
    }
}
