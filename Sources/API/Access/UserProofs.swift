import Cryptography
package import Domain
package import Runtime

/// Proves who users are for the console, with the passwords, codes and lock-outs of every sign-in.
package struct UserProofs: UserProving {
    private static let client = "console"
    private static let method = "password"

    private let signIn: SignIn
    private let factors: SecondFactor

    /// Uses the sign-in of the routes, so that failures count for both.
    package init(_ parts: APIDependencies) {
        signIn = parts.signIn
        factors = parts.factors
    }

    package func prove(
        email: String,
        password: String,
        from address: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> UserProof {
        let attempt = SignIn.Attempt(
            email: email,
            password: password,
            tenant: nil,
            address: address,
            client: Self.client
        )
        return try await proof { () throws(APIError) in
            let user = try await signIn.user(of: attempt, by: deadline)
            guard user.role.atConsole != nil else { return .refused }
            guard user.factor != nil else {
                try await signIn.forgetAttempts(user.email, by: deadline)
                return .lacksFactor
            }
            return .needsCode(token: signIn.token(for: user, client: Self.client, method: Self.method))
        }
    }

    package func prove(
        token: String,
        code: String,
        from address: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> UserProof {
        try await proof { () throws(APIError) in
            try signIn.checkAddress(address)
            do throws(APIError) {
                let (user, pending) =
                    try await signIn.user(finishing: token, code: code, factors: factors, by: deadline)
                // A first step of another sign-in, as by a code to a telephone, proves no password.
                guard pending.method == Self.method, pending.client == Self.client else { throw APIError.unknownToken }
                try await signIn.forgetAttempts(user.email, by: deadline)
                return .proved(user)
            } catch {
                signIn.noteFailure(from: address, of: error)
                throw error
            }
        }
    }

    package func hash(of password: String) async throws(RecordsError) -> String {
        do throws(APIError) {
            return try await signIn.passwords.hash(of: password)
        } catch {
            throw .unavailable(reason: "passwords cannot be hashed: \(error)")
        }
    }

    private func proof(_ body: () async throws(APIError) -> UserProof) async throws(RecordsError) -> UserProof {
        do throws(APIError) {
            return try await body()
        } catch {
            switch error {
            case .wrongCredentials, .wrongCode, .unknownToken, .noFactor: return .refused
            case .tooManySignIns(let wait): return .tooMany(wait: wait)
            default: throw .unavailable(reason: "\(error)")
            }
        }
    }
}
