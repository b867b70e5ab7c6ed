import API

/// Assembles what identifies users.
enum IdentityAssembly {
    /// The access tokens under the configured secret, or under one that is made once.
    static func tokens(_ settings: Settings) throws(CommandFailure) -> AccessTokens {
        guard let tokens = AccessTokens(secret: try PersistedSecret.bytes(.tokenSecret, settings)) else {
            throw CommandFailure("token-secret must have \(AccessTokens.secretBytes) characters.", .usage)
        }
        return tokens
    }
}
