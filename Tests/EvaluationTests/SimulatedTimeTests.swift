import Evaluation
import Foundation
import Runtime
import Testing

@Suite(.timeLimit(.minutes(1))) struct SimulatedTimeTests {
    private func onLoop<Value: Sendable>(_ body: @escaping @Sendable (SimulatedTime) async -> Value) async -> Value {
        let loop = EventLoop()
        defer { loop.stop() }
        return await Task(executorPreference: loop) {
            await body(SimulatedTime(on: loop, date: Date(timeIntervalSince1970: 1_000)))
        }.value
    }

    @Test func `an hour passes at once when everybody waits for it`() async {
        let began = Instant.now
        let elapsed = await onLoop { time in
            let start = time.now
            try? await time.sleep(until: start + .seconds(3_600))
            return time.now.since(start)
        }
        #expect(elapsed == .seconds(3_600))
        #expect(Instant.now.since(began) < .seconds(30))
    }

    @Test func `those who wait are woken in the order of their instants, each at its own`() async {
        let woken = await onLoop { time in
            await withTaskGroup(of: (Int, Duration).self) { group in
                let start = time.now
                for number in [5, 1, 4, 2, 3] {
                    group.addTask {
                        try? await time.sleep(until: start + .milliseconds(number * 100))
                        return (number, time.now.since(start))
                    }
                }
                var woken: [(Int, Duration)] = []
                for await item in group { woken.append(item) }
                return woken
            }
        }
        #expect(woken.map(\.0) == [1, 2, 3, 4, 5])
        #expect(woken.map(\.1) == (1...5).map { .milliseconds($0 * 100) })
    }

    @Test func `work between two waits takes no simulated time`() async {
        let elapsed = await onLoop { time in
            let start = time.now
            for _ in 0..<100 { await Task.yield() }
            return time.now.since(start)
        }
        #expect(elapsed == .zero)
    }

    @Test func `a wait for the past returns at once, and a cancelled one throws`() async {
        let (past, cancelled) = await onLoop { time in
            let past: Bool = (try? await time.sleep(until: time.now)) != nil
            let task = Task(executorPreference: EventLoop.current) {
                do {
                    try await time.sleep(until: time.now + .seconds(1))
                    return false
                } catch {
                    return true
                }
            }
            task.cancel()
            return (past, await task.value)
        }
        #expect(past && cancelled)
    }

    @Test func `the calendar moves with the clock and by itself`() async {
        let dates = await onLoop { time in
            let first = time.date
            try? await time.sleep(until: time.now + .seconds(10))
            let second = time.date
            time.advanceCalendar(by: .seconds(60))
            return [first, second, time.date].map { $0.timeIntervalSince1970.rounded() }
        }
        #expect(dates == [1_000, 1_010, 1_070])
    }
}
