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

    init(_ users: InMemoryUsers) { self.users = users }

    func account(withPhone phone: String, by deadline: Deadline) async throws(RecordsError) -> User? {
        users.account { $0.phone == phone }
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
        of user: User,
        atMost most: Int,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        codes.withLock { codes in
            guard let code = codes[user.id], code.end > date, code.attempts < most else { return false }
            codes[user.id]?.attempts += 1
            guard code.digest == digest else { return false }
            codes[user.id] = nil
            return true
        }
    }
}
