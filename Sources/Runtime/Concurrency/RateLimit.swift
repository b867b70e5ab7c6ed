/// Limits the rate of an action for each of many keys, with a token bucket that refills over a minute.
///
/// A value; only keys that were used lately take memory.
package struct RateLimit<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var held: Double
        var at: Instant
    }

    /// The number of buckets above which full ones are removed; a full bucket equals none.
    private static var capacity: Int { 50_000 }

    private let perMinute: Double
    private var buckets: [Key: Bucket] = [:]

    /// Makes a limit.
    ///
    /// - Parameter perMinute: The rate for each key, and also its burst; 0 sets no limit.
    package init(perMinute: Int) {
        self.perMinute = Double(perMinute)
    }

    /// Takes a token from a bucket; returns nil when allowed, or otherwise the time until it would be.
    package mutating func take(_ key: Key, at now: Instant) -> Duration? {
        guard perMinute > 0 else { return nil }
        if buckets.count >= Self.capacity { removeFull(at: now) }
        var bucket = buckets[key] ?? Bucket(held: perMinute, at: now)
        bucket.held = held(in: bucket, at: now)
        bucket.at = now
        let isAllowed = bucket.held >= 1
        if isAllowed { bucket.held -= 1 }
        buckets[key] = bucket
        return isAllowed ? nil : .seconds((1 - bucket.held) / perMinute * 60)
    }

    private func held(in bucket: Bucket, at now: Instant) -> Double {
        min(perMinute, bucket.held + now.since(bucket.at).seconds / 60 * perMinute)
    }

    private mutating func removeFull(at now: Instant) {
        buckets = buckets.filter { held(in: $0.value, at: now) < perMinute }
        if buckets.count >= Self.capacity { buckets.removeAll() }
    }
}
