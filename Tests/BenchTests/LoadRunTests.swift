import Foundation
import Runtime
import Synchronization
import Testing

@testable import Bench

@Suite struct LoadRunTests {
    /// A clock that stands still but for sleeps and what a call says that it takes.
    private final class StepTime: TimeSource {
        private let current = Mutex(Instant(nanoseconds: 0))

        var now: Instant { current.withLock { $0 } }
        var date: Date { Date(timeIntervalSince1970: 0) }

        func sleep(until instant: Instant) async throws { current.withLock { $0 = max($0, instant) } }

        func pass(_ duration: Duration) { current.withLock { $0 = $0 + duration } }
    }

    private func outcome(
        _ shape: LoadShape,
        _ call: @escaping @Sendable (Int, StepTime) -> LoadRun.Ending
    ) async -> LoadRun.Outcome {
        let loops = EventLoopGroup(count: 1)
        defer { loops.stop() }
        let time = StepTime()
        return await LoadRun(shape, for: .seconds(1), on: loops, time: time) { call($0, time) }.perform()
    }

    @Test func `who would have called while nobody answered is counted as waiting`() async {
        let outcome = await outcome(.open(perSecond: 10, callers: 1)) { index, time in
            time.pass(index == 0 ? .seconds(1) : .zero)
            return .answered(stages: [])
        }
        // The first takes a second; the others were meant to begin at 100, 200 … 900 ms and begin at one second.
        #expect(outcome.answered.sorted() == (1...10).map { .milliseconds($0 * 100) })
    }

    @Test func `a closed loop times a call from when its caller is free`() async {
        let outcome = await outcome(.closed(inFlight: 1)) { _, time in
            time.pass(.milliseconds(250))
            return .answered(stages: [("model", .milliseconds(200))])
        }
        #expect(outcome.answered == [Duration](repeating: .milliseconds(250), count: 4))
        #expect(outcome.stages["model"]?.count == 4)
        #expect(outcome.elapsed == .seconds(1))
    }

    @Test func `what failed is counted by its word and has no latency`() async {
        let outcome = await outcome(.open(perSecond: 4, callers: 1)) { index, _ in
            index % 2 == 0 ? .failed("status 503") : .answered(stages: [])
        }
        #expect(outcome.failures == ["status 503": 2])
        #expect(outcome.answered.count == 2)
    }
}
