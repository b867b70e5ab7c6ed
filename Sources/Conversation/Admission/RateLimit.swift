package import Runtime

/// Limits how often each of many may do something: a bucket for each that a minute fills.
///
/// A value; only those who have done something lately take up room.
package struct RateLimit<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var held: Double
        var at: Instant
    }

    /// Beyond this many buckets, the full ones are thrown away; a full bucket and none are the same.
    private static var capacity: Int { 50_000 }

    private let perMinute: Double
    private var buckets: [Key: Bucket] = [:]

    /// Makes a limit.
    ///
    /// - Parameter perMinute: How often each may; also how often all at once. 0 sets no limit.
    package init(perMinute: Int) {
        self.perMinute = Double(perMinute)
    }

    /// Takes one from a bucket; nil when that was allowed, or else how long until it would be.
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
