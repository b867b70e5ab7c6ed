package import Foundation
package import Runtime
import Synchronization

/// A clock that stands still until a test moves it.
package final class VirtualTime: TimeSource {
    private struct State {
        var elapsed = Duration.zero
        var sleepers: [(until: Instant, woken: OneShot<Bool>)] = []
    }

    private let start: Date
    private let state = Mutex(State())

    /// Makes a clock that shows a date, with its monotonic instant at zero.
    package init(date: Date = Date(timeIntervalSince1970: 1_772_000_000)) {
        start = date
    }

    package var now: Instant { Instant(nanoseconds: 0) + state.withLock { $0.elapsed } }

    package var date: Date { start.addingTimeInterval(state.withLock { $0.elapsed }.seconds) }

    /// How many tasks sleep.
    package var sleepers: Int { state.withLock { $0.sleepers.count } }

    package func sleep(until instant: Instant) async throws {
        let woken = OneShot<Bool>()
        let mustWait = state.withLock { state in
            let isAhead = Instant(nanoseconds: 0) + state.elapsed < instant
            if isAhead { state.sleepers.append((instant, woken)) }
            return isAhead
        }
        guard mustWait else { return }
        guard await woken.value(ifCancelled: false) else { throw CancellationError() }
    }

    /// Moves the clock and wakes those whose time has come, the earliest first.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.elapsed += duration
            let now = Instant(nanoseconds: 0) + state.elapsed
            let due = state.sleepers.filter { $0.until <= now }.sorted { $0.until < $1.until }
            state.sleepers.removeAll { $0.until <= now }
            return due
        }
        for sleeper in due { sleeper.woken.settle(true) }
    }
}
