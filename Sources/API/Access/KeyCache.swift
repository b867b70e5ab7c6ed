import Conversation
import Runtime

/// Service keys that were looked up lately; a value whose rules can be tested by moving time.
///
/// Good keys and unknown ones have their own room, so that a flood of guesses pushes no good key out.
struct KeyCache {
    /// What is to be done with a key that was shown.
    enum Verdict: Equatable {
        /// It is good.
        case good(ServiceKey)
        /// The records did not know it a moment ago.
        case unknown
        /// The records must be asked; others who show the key meanwhile need not.
        case lookUp
    }

    private struct Entry {
        var key: ServiceKey
        var confirmedAt: Instant
        var freshUntil: Instant
    }

    /// The most keys of each kind; beyond it the one that came first goes.
    static let capacity = 1024
    /// How long the records' word that they do not know a key is believed.
    private static let unknownFreshness = Duration.seconds(5)
    /// How long others go on with a stale key while one of them asks the records.
    private static let lookUpTime = Duration.seconds(2)

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

    /// Keeps what the records said; nil when they do not know the key.
    mutating func learn(_ key: ServiceKey?, for digest: String, at now: Instant) {
        if let key {
            good[digest] = Entry(key: key, confirmedAt: now, freshUntil: now + freshness)
            unknown[digest] = nil
        } else {
            good[digest] = nil
            unknown[digest] = now + Self.unknownFreshness
        }
    }

    /// Whether a key was good when the records were last asked.
    func knows(_ digest: String) -> Bool { good[digest] != nil }

    /// Keeps a key that the records confirmed some time ago, before this process began.
    mutating func adopt(_ key: ServiceKey, for digest: String, confirmedAt: Instant, at now: Instant) {
        good[digest] = Entry(key: key, confirmedAt: confirmedAt, freshUntil: now + Self.lookUpTime)
    }

    /// Forgets a key that was revoked.
    mutating func forget(_ digest: String, at now: Instant) { learn(nil, for: digest, at: now) }

    /// The key to go on with while the records cannot be asked; nil when it was never good, or too long ago.
    mutating func fallBack(_ digest: String, at now: Instant) -> ServiceKey? {
        guard var entry = good[digest], now.since(entry.confirmedAt) < staleness else { return nil }
        entry.freshUntil = now + Self.lookUpTime
        good[digest] = entry
        return entry.key
    }
}
