import Cryptography
import Domain
import Runtime
import Synchronization

/// Proofs of users as a test plays them: one password and one code for everybody who is known.
final class PlayedProofs: UserProving {
    static let (password, code, token) = ("correct horse battery", "123456", "a-token")
    static let offer = FactorOffer(token: "a-set-up", secret: "GEZDGNBVGY3TQOJQ", uri: "otpauth://totp/Hearth:a")
    static let backupCodes = (0..<10).map { "abcd\($0)-efghi" }
    /// The tenant in which nobody has an account.
    static let elsewhere = TenantID()

    private let state = Mutex((users: [String: (user: User, hasFactor: Bool)](), last: String?.none, isEnrolled: false))

    func know(_ user: User, hasFactor: Bool = true) { state.withLock { $0.users[user.email] = (user, hasFactor) } }

    func prove(
        email: String,
        password: String,
        tenant: TenantID?,
        from address: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> UserProof {
        guard email != "busy@example.org" else { return .tooMany(wait: .seconds(90)) }
        guard tenant != Self.elsewhere else { return .refused }
        return state.withLock { state in
            guard let (_, hasFactor) = state.users[email], password == Self.password else { return .refused }
            state.last = email
            return hasFactor ? .needsCode(token: Self.token) : .offered(Self.offer)
        }
    }

    func prove(
        token: String,
        code: String,
        from address: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> UserProof {
        state.withLock { state in
            guard token == Self.token, code == Self.code, let last = state.last, let (user, _) = state.users[last]
            else {
                return .refused
            }
            return .proved(user)
        }
    }

    func enrol(
        token: String,
        code: String,
        from address: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> UserProof {
        state.withLock { state in
            guard token == Self.offer.token, code == Self.code, let last = state.last, let (user, _) = state.users[last]
            else { return .refused }
            defer { state.isEnrolled = true }
            return state.isEnrolled
                ? .shownAgain(user, backupCodes: Self.backupCodes) : .enrolled(user, backupCodes: Self.backupCodes)
        }
    }

    func replaceFactor(
        of user: UserID,
        tenant: TenantID,
        in session: UserSessionID,
        code: String,
        from address: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> UserProof {
        let knows = state.withLock { $0.users.values.contains { $0.user.id == user && $0.user.tenant == tenant } }
        return knows && code == Self.code ? .offered(Self.offer) : .refused
    }

    func changePassword(_ change: OwnPasswordChange, by deadline: Deadline) async throws(RecordsError) -> PasswordProof
    {
        guard change.present == Self.password, change.code == Self.code else { return .refused }
        return change.new.count < 12 ? .tooEasy : .changed
    }

    func hash(
        of password: String,
        email: String,
        name: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> String? {
        password.count < 12 ? nil : "$argon2id$played \(password)"
    }

    func verdict(
        on password: String,
        email: String,
        name: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> PasswordVerdict {
        if password.count < 12 { return .length }
        return password.contains(email) || password.contains(name) ? .easy : .hard
    }
}
