import Cryptography
import Domain
import Runtime
import Synchronization

/// Proofs of users as a test plays them: one password and one code for everybody who is known.
final class PlayedProofs: UserProving {
    static let (password, code, token) = ("correct horse battery", "123456", "a-token")

    private let state = Mutex((users: [String: (user: User, hasFactor: Bool)](), last: String?.none))

    func know(_ user: User, hasFactor: Bool = true) { state.withLock { $0.users[user.email] = (user, hasFactor) } }

    func prove(
        email: String,
        password: String,
        from address: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> UserProof {
        guard email != "busy@example.org" else { return .tooMany(wait: .seconds(90)) }
        return state.withLock { state in
            guard let (_, hasFactor) = state.users[email], password == Self.password else { return .refused }
            state.last = email
            return hasFactor ? .needsCode(token: Self.token) : .lacksFactor
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

    func hash(of password: String) async throws(RecordsError) -> String { "$argon2id$played \(password)" }
}
