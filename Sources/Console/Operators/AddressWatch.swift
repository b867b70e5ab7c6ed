import Runtime

/// Counts what comes in vain from each address, so that one machine cannot try keys for ever.
///
/// A value whose rules can be tested by moving time. Addresses that were heard of last are kept, a thousand at most.
struct AddressWatch: Sendable {
    private struct Count {
        var began: Instant
        var failures: Int
    }

    /// How many attempts may fail within the window.
    static let mostFailures = 20
    /// How long a count lasts from its first failure.
    static let window = Duration.seconds(600)
    private static let capacity = 1_000

    private var counts = LeastRecentlyUsed<String, Count>()

    /// How long an address must wait; nil when it need not.
    mutating func wait(of address: String, at now: Instant) -> Duration? {
        guard let count = counts.use(address), count.failures >= Self.mostFailures else { return nil }
        let left = Self.window - now.since(count.began)
        return left > .zero ? left : nil
    }

    /// Counts an attempt that failed.
    mutating func note(failureFrom address: String, at now: Instant) {
        var count = counts.use(address) ?? Count(began: now, failures: 0)
        if now.since(count.began) >= Self.window { count = Count(began: now, failures: 0) }
        count.failures += 1
        counts.insert(count, for: address, cost: 1)
        counts.evict(to: Self.capacity)
    }
}
