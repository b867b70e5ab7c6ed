import API
import Cryptography
import Domain

/// Assembles what identifies users.
enum IdentityAssembly {
    /// The access tokens under the configured secret, or under one that is made once.
    static func tokens(_ settings: Settings) throws(CommandFailure) -> AccessTokens {
        guard let tokens = AccessTokens(secret: try PersistedSecret.bytes(.tokenSecret, settings)) else {
            throw CommandFailure("token-secret must have \(AccessTokens.secretBytes) characters.", .usage)
        }
        return tokens
    }

    /// The secrets of users' second factors.
    static func factorSecrets(_ settings: Settings) throws(CommandFailure) -> DerivedSecrets {
        DerivedSecrets(master: try PersistedSecret.bytes(.factorSecret, settings))
    }

    /// The identity providers whose tokens are accepted.
    static func providers(_ settings: Settings) throws(CommandFailure) -> [IdentityProvider] {
        var tenant = DemoHousehold.tenant
        if let text = settings.text(.identityTenant) {
            guard let named = TenantID(text) else { throw CommandFailure("identity-tenant must be a UUID.", .usage) }
            tenant = named
        }
        let makesSeniors = settings[.identityAccounts].text == "seniors"
        var providers: [IdentityProvider] = []
        if let project = settings.text(.firebaseProject) {
            providers.append(.firebase(project: project, tenant: tenant, makesSeniors: makesSeniors))
        }
        if let url = settings.text(.supabaseURL) {
            let confirmsEmails = settings[.supabaseEmails].text == "confirmed"
            providers.append(
                .supabase(url: url, tenant: tenant, confirmsEmails: confirmsEmails, makesSeniors: makesSeniors)
            )
        }
        return providers
    }

    /// The origins whose programs in browsers may use the API.
    static func crossOrigin(_ settings: Settings) throws(CommandFailure) -> CrossOrigin {
        guard let text = settings.text(.corsOrigins) else { return .none }
        guard let origins = CrossOrigin(text) else {
            throw CommandFailure(
                "cors-origins must be origins such as https://app.example, with commas between.",
                .usage
            )
        }
        return origins
    }
}
