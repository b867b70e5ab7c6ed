import Cryptography
import Domain
import Foundation
package import Runtime
import Synchronization

/// Fetches the bytes of a key set; nil when its provider does not answer with one.
package typealias KeySetFetch = @Sendable (_ url: String, Deadline) async -> FetchedKeySet?

/// Checks the tokens of one identity provider: RS256 and ES256 under the keys that it publishes.
///
/// The key is found by its name, and has one algorithm. No token is read further before its signature is checked.
final class ProviderTokens: Sendable {
    static let fetchTime = Duration.seconds(3)

    let provider: IdentityProvider
    private let fetch: KeySetFetch
    private let time: any TimeSource
    private let log: Log
    private let cache = Mutex(KeySetCache())

    init(_ provider: IdentityProvider, fetch: @escaping KeySetFetch, time: any TimeSource, log: Log) {
        self.provider = provider
        self.fetch = fetch
        self.time = time
        self.log = log
    }

    /// Returns the claims of a token of this provider whose time it is.
    func claims(of token: JSONWebToken, by deadline: Deadline) async throws(TokenFault) -> TokenClaims {
        guard VerificationKey.Algorithm(rawValue: token.algorithm) != nil else { throw .wrongAlgorithm }
        guard let name = token.keyID, let key = await key(name, by: deadline) else { throw .unknownKey }
        guard token.kind.map({ $0.uppercased() == "JWT" }) ?? true else { throw .notForUs(claim: "typ") }
        let claims = try token.claims(signedBy: key)
        try claims.check(issuer: provider.issuer, audience: provider.audience)
        try claims.check(at: time.date)
        guard try claims.text("sub").unicodeScalars.count <= 255 else { throw .missing(claim: "sub") }
        return claims
    }

    private func key(_ name: String, by deadline: Deadline) async -> VerificationKey? {
        switch cache.withLock({ $0.look(name, at: time.now) }) {
        case .use(let key): return key
        case .useAndFetch(let key):
            Task { await refresh(by: Deadline(after: Self.fetchTime)) }
            return key
        case .fetch:
            await refresh(by: deadline.capped(to: Self.fetchTime, from: time.now))
            return cache.withLock { $0.key(name, at: time.now) }
        case .unknown: return nil
        }
    }

    private func refresh(by deadline: Deadline) async {
        guard let fetched = await fetch(provider.keysURL, deadline), let keys = KeySet(fetched.bytes) else {
            log.warning("provider_keys_not_read", "issuer" ~ provider.issuer)
            return
        }
        cache.withLock { $0.learn(keys, maximumAge: fetched.maximumAge, at: time.now) }
    }
}
