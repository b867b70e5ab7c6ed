import Cryptography
import Foundation
import Runtime
import Synchronization

/// Assigns idempotency keys to requests that arrive without one: equal requests within a minute share a key.
///
/// A caller that repeats an unanswered request is therefore answered once. The key is derived from the body and the
/// minute, so that every replica assigns the same one.
final class BodyKeys: Sendable {
    /// Time from a body's first arrival for which it keeps its key.
    static let window = Duration.seconds(60)
    /// Largest number of remembered bodies; the oldest is dropped first.
    private static let capacity = 16_384

    private struct Known {
        let key: String
        let until: Instant
    }

    private let known = Mutex(BoundedDictionary<String, Known>(capacity: capacity))

    /// Returns the key of a body that arrives now.
    ///
    /// The key contains a space, which no caller's key may, so that it collides with none.
    ///
    /// - Parameter fingerprint: Digest of the route and the body.
    func key(for fingerprint: String, at now: Instant, _ date: Date) -> String {
        known.withLock { known in
            if let earlier = known[fingerprint], now < earlier.until { return earlier.key }
            let minute = Int(date.timeIntervalSince1970 / Self.window.seconds)
            let key = "body \(fingerprint) \(minute)"
            known[fingerprint] = nil
            known[fingerprint] = Known(key: key, until: now + Self.window)
            return key
        }
    }
}
