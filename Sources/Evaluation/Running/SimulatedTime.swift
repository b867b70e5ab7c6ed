package import Foundation
package import Runtime
import Synchronization

/// A clock that jumps to the next wake-up time once every participant is waiting.
///
/// All participants run on one event loop; when it is idle, all of them wait for this clock. Five seconds of a slow
/// model pass in microseconds, in a reproducible order.
///
/// The clock starts at the machine's time, so that its deadlines are never in the machine's past.
package final class SimulatedTime: TimeSource {
    private struct State {
        var now: Instant
        var sleepers: [(until: Instant, woken: OneShot<Bool>)] = []
    }

    private let loop: EventLoop
    private let start: Instant
    private let startDate: Mutex<Date>
    private let state: Mutex<State>

    /// Creates a clock for an event loop.
    package init(on loop: EventLoop, date: Date) {
        self.loop = loop
        start = .now
        startDate = Mutex(date)
        state = Mutex(State(now: start))
    }

    package var now: Instant { state.withLock { $0.now } }

    package var date: Date { startDate.withLock { $0 }.addingTimeInterval(now.since(start).seconds) }

    /// Moves the calendar without moving instants, as when the next message comes a minute later.
    package func advanceCalendar(by duration: Duration) {
        startDate.withLock { $0 += duration.seconds }
    }

    package func sleep(until instant: Instant) async throws {
        let woken = OneShot<Bool>()
        let mustWait = state.withLock { state in
            guard state.now < instant else { return false }
            state.sleepers.append((instant, woken))
            return true
        }
        guard mustWait else { return }
        loop.whenIdle { [self] in wakeNext() }
        guard await woken.value(ifCancelled: false) else { throw CancellationError() }
    }

    /// Advances to the earliest wake-up time and wakes the task that has waited longest for it.
    private func wakeNext() {
        let next = state.withLock { state -> OneShot<Bool>? in
            state.sleepers.removeAll { $0.woken.isSettled }
            guard let first = state.sleepers.indices.min(by: { state.sleepers[$0].until < state.sleepers[$1].until })
            else { return nil }
            let sleeper = state.sleepers.remove(at: first)
            state.now = max(state.now, sleeper.until)
            return sleeper.woken
        }
        next?.settle(true)
    }
}

/// A clock with the machine's monotonic time and a fixture's calendar date, for live models.
final class CalendarTime: TimeSource {
    private let started = Instant.now
    private let start: Mutex<Date>

    init(date: Date) {
        start = Mutex(date)
    }

    var now: Instant { .now }

    var date: Date { start.withLock { $0 }.addingTimeInterval(now.since(started).seconds) }

    func advanceCalendar(by duration: Duration) {
        start.withLock { $0 += duration.seconds }
    }

    func sleep(until instant: Instant) async throws {
        try await SystemTime().sleep(until: instant)
    }
}
