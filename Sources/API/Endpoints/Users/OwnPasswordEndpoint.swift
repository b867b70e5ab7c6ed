import Domain
import HTTPServing
import Runtime

/// `POST /api/v1/auth/password`: changes the password of the user who is signed in.
struct OwnPasswordEndpoint: Sendable {
    private static let present = "current_password"
    private static let new = "new_password"

    let parts: APIDependencies

    var operation: Operation {
        Operation(
            "changeOwnPassword",
            "Change the user's password",
            note:
                "Asks for all that a sign-in asks for: the present password, and with a second factor a code. Every session and "
                + "every key of a telephone ends; the answer holds the tokens of a new session. Failed attempts are counted as "
                + "those of a sign-in.",
            dialect: .stratum,
            body: Operation.Body(
                .object(
                    .required(Self.present, .string().noted("At most 1,024 bytes.")),
                    .required(Self.new, .string().noted("12 to 128 characters.")),
                    .optional("code", FactorEndpoint.code),
                    .optional("client", .string(.printableASCII(0...200)).noted("What signs in, as sessions show it."))
                ).named("PasswordChange"),
                example: [
                    "current_password": "correct horse battery staple", "new_password": "a longer and better one",
                ]
            ),
            successes: [SignInEndpoint.issued("The password is new, and so is the session.")],
            refusals: [.invalidCredentials, .invalidCode, .rateLimited, .clientClosed],
            access: .user(change)
        )
    }

    private func change(_ call: ValidatedRequest, _ user: UserCaller) async throws(APIError) -> Outcome {
        let deadline = call.deadline(parts.limits.signIn)
        guard let present = try call.password(in: Self.present),
            let new = try UserRequest.password(call.body, in: Self.new)
        else { throw .failed }
        let address = call.address(behind: parts.proxy)
        let account = try await parts.signIn.check(
            present,
            of: try await parts.signIn.user(user.id, of: user.tenant, by: deadline),
            from: address,
            by: deadline
        )
        if account.factor != nil {
            do throws(APIError) {
                guard let code = call.body.text("code") else { throw .wrongCode }
                try await parts.factors.check(code, of: account, by: deadline)
            } catch {
                parts.signIn.noteFailure(from: address, of: error)
                throw error
            }
        }
        let hash = try await parts.signIn.passwords.hash(of: new)
        let changed: User?
        do throws(RecordsError) {
            changed = try await parts.users.change(
                user.id,
                of: user.tenant,
                // An administrator's reset in the meantime must stand.
                to: UserChange(passwordHash: hash, knownChange: account.updatedAt),
                audit: AuditEntry("own_password_changed", user.id, by: call),
                by: deadline
            )
        } catch {
            throw APIError(error, patientAt: "")
        }
        guard let changed, changed.isActive else { throw .unknownToken }
        let client = call.body.text("client") ?? ""
        let method = account.factor == nil ? "password" : "password and code"
        return SignInEndpoint.answer(
            try await parts.signIn.open(for: changed, client: client, method: method, by: deadline)
        )
    }
}
