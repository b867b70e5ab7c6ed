package import Runtime

/// Proves who users are by what they know and have, for those who keep sessions of their own.
package protocol UserProving: Sendable {
    /// Checks an address and a password, under the lock-out of every sign-in.
    ///
    /// - Parameters:
    ///   - tenant: The tenant of a user of several; nil for the one whose account was made first.
    ///   - address: Network address of the caller.
    func prove(
        email: String,
        password: String,
        tenant: TenantID?,
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

    /// Activates an offered factor with its first code.
    ///
    /// - Parameter token: The token of the offer.
    func enrol(
        token: String,
        code: String,
        from address: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> UserProof

    /// Offers a new factor in place of the active one, whose code proves who asks.
    ///
    /// - Parameter session: The session that asks, which gets the same offer again.
    func replaceFactor(
        of user: UserID,
        tenant: TenantID,
        in session: UserSessionID,
        code: String,
        from address: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> UserProof

    /// Returns the slow hash of a new password.
    func hash(of password: String) async throws(RecordsError) -> String
}

/// A second factor that waits for its first code, within five minutes.
package struct FactorOffer: Sendable, Equatable {
    /// The token that goes with the code.
    package let token: String
    /// The secret in base 32, for typing into an app.
    package let secret: String
    /// The address that apps read from a QR code.
    package let uri: String

    package init(token: String, secret: String, uri: String) {
        self.token = token
        self.secret = secret
        self.uri = uri
    }
}

/// The outcome of a step of a sign-in.
package enum UserProof: Sendable, Equatable {
    /// The user is who they say, with password and code.
    case proved(User)
    /// The password is right; a code is needed with this token, within five minutes.
    case needsCode(token: String)
    /// The user is who they say, and has no second factor yet, or wants another one.
    case offered(FactorOffer)
    /// The factor counts from now on, and the user is who they say; each back-up code is good once.
    case enrolled(User, backupCodes: [String])
    /// An offer waits in another session of the user.
    case offeredElsewhere(wait: Duration)
    /// Something is wrong, or there is no such account; which is not told.
    case refused
    /// Too many attempts; nothing was checked.
    case tooMany(wait: Duration)
}
