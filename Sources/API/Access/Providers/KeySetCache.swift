import Cryptography
import Runtime

/// Keeps a provider's key set: a value, so that tests can move time.
struct KeySetCache {
    /// The step for a token that names a key.
    enum Verdict {
        /// Check it with this key.
        case use(VerificationKey)
        /// Check it with this key, and fetch the set anew beside.
        case useAndFetch(VerificationKey)
        /// Fetch the set, and wait for it.
        case fetch
        /// Wait for the set that is being fetched.
        case wait
        /// No such key.
        case unknown
        /// No keys could be had; the next attempt is due after a pause.
        case unavailable(retryAfter: Duration)
    }

    /// Bounds of the time for which a set is kept without asking again.
    static let freshness: ClosedRange<Duration> = .seconds(300)...(.seconds(86_400))
    private static let usualFreshness = Duration.seconds(3600)
    /// Time for which an old set is used while its provider is away.
    static let staleness = Duration.seconds(86_400)
    /// Least time between two fetches because of names that the set does not have.
    static let unknownPause = Duration.seconds(60)
    /// Least time between a fetch that failed and the next one.
    static let failurePause = Duration.seconds(5)

    private var keys: KeySet?
    private var freshUntil = Instant(nanoseconds: 0)
    private var staleUntil = Instant(nanoseconds: 0)
    private var askedForUnknownAt: Instant?
    private var failedAt: Instant?

    /// Decides about a key's name; `isFetching` says that the set is being fetched already.
    ///
    /// Names that the set does not have hold back neither the first fetch nor one that is due.
    mutating func look(_ name: String, isFetching: Bool, at now: Instant) -> Verdict {
        let wait = failedAt.map { Self.failurePause.nanoseconds - now.since($0).nanoseconds } ?? 0
        guard let usable = usable(at: now) else {
            guard !isFetching else { return .wait }
            return wait <= 0 ? .fetch : .unavailable(retryAfter: .nanoseconds(wait))
        }
        if let key = usable.key(name) {
            return now < freshUntil || isFetching || wait > 0 ? .use(key) : .useAndFetch(key)
        }
        if isFetching { return .wait }
        guard wait <= 0, askedForUnknownAt.map({ now.since($0) >= Self.unknownPause }) ?? true else { return .unknown }
        askedForUnknownAt = now
        return .fetch
    }

    /// Returns the present set, if it may still be used.
    func usable(at now: Instant) -> KeySet? { now < staleUntil ? keys : nil }

    /// Stores a set that was fetched.
    mutating func learn(_ keys: KeySet, maximumAge: Duration?, at now: Instant) {
        let age = maximumAge ?? Self.usualFreshness
        freshUntil = now + min(max(age, Self.freshness.lowerBound), Self.freshness.upperBound)
        staleUntil = freshUntil + Self.staleness
        self.keys = keys
        askedForUnknownAt = now
        failedAt = nil
    }

    /// Notes that no set could be fetched.
    mutating func noteFailure(at now: Instant) { failedAt = now }
}
