import Cryptography
import Foundation
import Runtime
import Synchronization

/// Gives a request that has no key the key of the same request of the last minute, or else one of its own.
///
/// A caller that repeats what was not answered is so answered once, though it names nothing. A key follows from the body and
/// the minute, so that another replica to which the repetition goes within that minute comes to the same.
final class BodyKeys: Sendable {
    /// How long a body stands for itself, from when it first came.
    static let window = Duration.seconds(60)
    /// The most bodies that are known; beyond it the one that came first goes.
    private static let capacity = 16_384

    private struct Known {
        let key: String
        let until: Instant
    }

    private let known = Mutex(BoundedDictionary<String, Known>(capacity: capacity))

    /// The key of a body that comes now.
    ///
    /// It holds a space, which no caller's key may, so that it is nobody's.
    ///
    /// - Parameter fingerprint: The digest of the route and the body.
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
