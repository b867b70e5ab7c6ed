package import Runtime

/// Proves who users are by what they know and have, for those who keep sessions of their own.
package protocol UserProving: Sendable {
    /// Checks an address and a password, under the lock-out of every sign-in.
    ///
    /// - Parameter address: Network address of the caller.
    func prove(
        email: String,
        password: String,
        from address: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> UserProof

    /// Checks a code of the second factor after a right password.
    ///
    /// - Parameter token: The token of ``UserProof/needsCode(token:)``.
    func prove(
        token: String,
        code: String,
        from address: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> UserProof

    /// Returns the slow hash of a new password.
    func hash(of password: String) async throws(RecordsError) -> String
}

/// The outcome of a step of a sign-in.
package enum UserProof: Sendable, Equatable {
    /// The user is who they say, with password and code.
    case proved(User)
    /// The password is right; a code is needed with this token, within five minutes.
    case needsCode(token: String)
    /// The password is right, and the account has no second factor.
    case lacksFactor
    /// Something is wrong, or there is no such account; which is not told.
    case refused
    /// Too many attempts; nothing was checked.
    case tooMany(wait: Duration)
}
