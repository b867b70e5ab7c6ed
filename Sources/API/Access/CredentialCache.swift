import Domain
import Runtime

/// Caches recently checked service keys.
typealias KeyCache = CredentialCache<ServiceKey>

/// Caches recently checked credentials of one kind: a value, so that tests can move time.
///
/// Valid and unknown ones have separate space, so that a flood of guesses evicts no valid one.
struct CredentialCache<Key: Equatable> {
    /// The decision about a presented key.
    enum Verdict: Equatable {
        /// The key is valid.
        case good(Key)
        /// The records recently did not know the key.
        case unknown
        /// The caller must ask the records; concurrent callers with the same key need not.
        case lookUp
    }

    private struct Entry {
        var key: Key
        var confirmedAt: Instant
        var freshUntil: Instant
    }

    /// Largest number of keys of each kind; the oldest is dropped first.
    static var capacity: Int { 1024 }
    /// Time for which an unknown key is remembered as unknown.
    private static var unknownFreshness: Duration { .seconds(5) }
    /// Time for which other callers use a stale key while one of them asks the records.
    private static var lookUpTime: Duration { .seconds(2) }

    private let freshness: Duration
    private let staleness: Duration
    private var good = BoundedDictionary<String, Entry>(capacity: Self.capacity)
    private var unknown = BoundedDictionary<String, Instant>(capacity: Self.capacity)

    init(freshness: Duration, staleness: Duration) {
        self.freshness = freshness
        self.staleness = staleness
    }

    mutating func look(_ digest: String, at now: Instant) -> Verdict {
        if let until = unknown[digest], now < until { return .unknown }
        guard var entry = good[digest] else { return .lookUp }
        if now < entry.freshUntil { return .good(entry.key) }
        entry.freshUntil = now + Self.lookUpTime
        good[digest] = entry
        return .lookUp
    }

    /// Stores the answer of the records; nil when they do not know the key.
    mutating func learn(_ key: Key?, for digest: String, at now: Instant) {
        if let key {
            good[digest] = Entry(key: key, confirmedAt: now, freshUntil: now + freshness)
            unknown[digest] = nil
        } else {
            good[digest] = nil
            unknown[digest] = now + Self.unknownFreshness
        }
    }

    /// Returns true when the key was valid at the last check.
    func knows(_ digest: String) -> Bool { good[digest] != nil }

    /// Stores a key that the records confirmed before this process started.
    mutating func adopt(_ key: Key, for digest: String, confirmedAt: Instant, at now: Instant) {
        good[digest] = Entry(key: key, confirmedAt: confirmedAt, freshUntil: now + Self.lookUpTime)
    }

    /// Marks a revoked key as unknown.
    mutating func forget(_ digest: String, at now: Instant) { learn(nil, for: digest, at: now) }

    /// Returns the key to use while the records are unavailable; nil when it was never valid or has expired.
    mutating func fallBack(_ digest: String, at now: Instant) -> Key? {
        guard var entry = good[digest], now.since(entry.confirmedAt) < staleness else { return nil }
        entry.freshUntil = now + Self.lookUpTime
        good[digest] = entry
        return entry.key
    }
}
