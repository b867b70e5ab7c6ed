/// The instant by which work must have answered; the last parameter of everything that waits.
///
/// A timeout that is passed down grows with each retry; an instant does not. A stage caps its deadline and turns the
/// remaining time into the limit of the C library that it calls.
package struct Deadline: Comparable, Hashable, Sendable {
    /// The instant at which time is up.
    package let instant: Instant

    /// Makes a deadline at an instant.
    package init(_ instant: Instant) {
        self.instant = instant
    }

    /// Makes a deadline some time after an instant; the instant is now by default.
    package init(after duration: Duration, from start: Instant = .now) {
        instant = start + duration
    }

    /// Returns the time left at an instant; zero when time is up, never negative.
    package func remaining(at now: Instant = .now) -> Duration {
        max(.zero, instant.since(now))
    }

    /// Returns whether time is up at an instant.
    package func hasPassed(at now: Instant = .now) -> Bool {
        now >= instant
    }

    /// Returns the earlier of this deadline and one `limit` after `now`.
    package func capped(to limit: Duration, from now: Instant = .now) -> Deadline {
        min(self, Deadline(now + limit))
    }

    /// Returns this deadline made earlier, to keep a reserve for later work.
    package func reserving(_ reserve: Duration) -> Deadline {
        Deadline(instant + (.zero - reserve))
    }

    package static func < (left: Deadline, right: Deadline) -> Bool {
        left.instant < right.instant
    }
}
