import Runtime
import Synchronization

/// Caches the claims of verified tokens, because a check costs some 50 µs under the secret, and more under a key.
///
/// A token is found by its whole text with its signature. Its end is compared at each use; its session is checked
/// elsewhere.
final class VerifiedTokens: Sendable {
    /// Tokens that are kept; the oldest is dropped first.
    static let capacity = 4096

    /// A token's claims, and the seconds since 1970 at which it ends.
    struct Entry: Sendable {
        let claims: AccessTokens.Claims
        let expiry: Double
    }

    private let known = Mutex(BoundedDictionary<String, Entry>(capacity: VerifiedTokens.capacity))

    /// Claims of a token that was verified before; nil for any other.
    func entry(of text: String) -> Entry? { known.withLock { $0[text] } }

    /// Stores the claims of a token whose signature, times and audience are right.
    func note(_ claims: AccessTokens.Claims, expiry: Double, of text: String) {
        known.withLock { $0[text] = Entry(claims: claims, expiry: expiry) }
    }
}
