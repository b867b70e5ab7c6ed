/// The instant by which work must have answered; passed as the last parameter to everything that waits.
///
/// A timeout that is passed down grows with each retry; an instant does not. A stage caps the deadline that it was given
/// and turns what is left into the limit of the C library that it calls.
package struct Deadline: Comparable, Hashable, Sendable {
    /// When time is up.
    package let instant: Instant

    /// A deadline at an instant.
    package init(_ instant: Instant) {
        self.instant = instant
    }

    /// A deadline some time after an instant, now unless given.
    package init(after duration: Duration, from start: Instant = .now) {
        instant = start + duration
    }

    /// What is left at an instant; zero when time is up, never negative.
    package func remaining(at now: Instant = .now) -> Duration {
        max(.zero, instant.since(now))
    }

    /// Whether time is up at an instant.
    package func hasPassed(at now: Instant = .now) -> Bool {
        now >= instant
    }

    /// The earlier of this deadline and one `limit` after `now`.
    package func capped(to limit: Duration, from now: Instant = .now) -> Deadline {
        min(self, Deadline(now + limit))
    }

    /// This deadline moved forward in time, to keep a reserve for what comes afterwards.
    package func reserving(_ reserve: Duration) -> Deadline {
        Deadline(instant + (.zero - reserve))
    }

    package static func < (left: Deadline, right: Deadline) -> Bool {
        left.instant < right.instant
    }
}
