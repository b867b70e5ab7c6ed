package import Foundation
package import Runtime

/// Limits failed sign-in attempts per network address.
///
/// A value that takes the time as an argument. It keeps the 1,000 sources that were used last.
package struct SignInThrottle: Sendable {
    private struct Count {
        var began: Instant
        var failures: Int
    }

    /// Failed attempts that are allowed within the window.
    package static let maximumFailures = 20
    /// Length of the window, from its first failure.
    package static let window = Duration.seconds(600)
    private static let capacity = 1_000

    private var counts = LeastRecentlyUsed<NetworkSource, Count>()

    package init() {}

    /// Time until an address may try again; nil if it may try now.
    package mutating func wait(of address: String, at now: Instant) -> Duration? {
        guard let count = counts.use(NetworkSource(address)), count.failures >= Self.maximumFailures else { return nil }
        let left = Self.window - now.since(count.began)
        return left > .zero ? left : nil
    }

    /// Counts a failed attempt.
    package mutating func note(failureFrom address: String, at now: Instant) {
        let source = NetworkSource(address)
        var count = counts.use(source) ?? Count(began: now, failures: 0)
        if now.since(count.began) >= Self.window { count = Count(began: now, failures: 0) }
        count.failures += 1
        counts.insert(count, for: source, cost: 1)
        counts.evict(to: Self.capacity)
    }
}

/// Lockout times after consecutive failed sign-in attempts.
package enum SignInLockout {
    /// The fifth consecutive failure costs a minute; each further one costs more, up to an hour.
    package static let afterAttempts: [Duration] = [0, 0, 0, 0, 60, 120, 300, 900, 3600].map { .seconds($0) }

    /// Returns the whole seconds until a time; the records round times, which must not make a minute 61 seconds.
    package static func wait(until end: Date, at date: Date) -> Duration {
        .seconds(max(1, (end.timeIntervalSince(date) - 0.001).rounded(.up)))
    }
}
