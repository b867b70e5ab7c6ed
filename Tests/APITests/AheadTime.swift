import Foundation
import Runtime
import TestSupport

/// A clock of a test whose deadlines lie an hour ahead, so that a real database keeps them while the clock stands
/// still.
struct AheadTime: TimeSource {
    private static let start = Instant.now + .seconds(3600)

    let clock: VirtualTime

    /// Moves on for twenty days at most: PostgreSQL's time limits have 32 bits.
    var now: Instant { Self.start + min(clock.now.since(Instant(nanoseconds: 0)), .seconds(20 * 86_400)) }

    var date: Date { clock.date }

    func sleep(until instant: Instant) async throws {
        try await clock.sleep(until: Instant(nanoseconds: 0) + instant.since(Self.start))
    }
}
