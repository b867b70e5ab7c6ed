import Runtime
import Testing

@testable import PostgresStore

/// The server's clock as this process knows it from the answers.
@Suite struct ServerClockTests {
    private let start = Instant(nanoseconds: 1_000_000_000_000)

    private func after(_ seconds: Double) -> Instant { start + .nanoseconds(Int64(seconds * 1e9)) }

    /// Seconds on the server's clock at the start, where 5,000 is right.
    private func shown(_ clock: ServerClock) -> Double { clock.seconds(at: Deadline(start)) }

    @Test func `the fastest answer decides`() {
        var clock = ServerClock(seconds: 5_000.3, askedAt: start)
        clock.read(5_001.001, askedAt: after(1))
        clock.read(5_002.2, askedAt: after(2))
        #expect(abs(shown(clock) - 5_000.001) < 1e-6)
    }

    @Test(arguments: [(59.0, 5_000.0), (61, 5_000.5)])
    func `a reading counts for a minute, since clocks drift apart`(seconds: Double, expected: Double) {
        var clock = ServerClock(seconds: 5_000, askedAt: start)
        clock.read(5_000.5 + seconds, askedAt: after(seconds))
        #expect(abs(shown(clock) - expected) < 1e-6)
    }
}
