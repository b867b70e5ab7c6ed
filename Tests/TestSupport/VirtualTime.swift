package import Foundation
package import Runtime
import Synchronization

/// A clock that stands still until a test moves it.
package final class VirtualTime: TimeSource {
    private struct State {
        var elapsed = Duration.zero
        var sleepers: [(until: Instant, woken: OneShot<Bool>)] = []
        var watchers: [OneShot<Void>] = []

        var now: Instant { Instant(nanoseconds: 0) + elapsed }
    }

    private let start: Date
    private let state = Mutex(State())

    /// Makes a clock that shows a date, with its monotonic instant at zero.
    package init(date: Date = Date(timeIntervalSince1970: 1_772_000_000)) {
        start = date
    }

    package var now: Instant { Instant(nanoseconds: 0) + state.withLock { $0.elapsed } }

    package var date: Date { start.addingTimeInterval(state.withLock { $0.elapsed }.seconds) }

    /// Number of sleeping tasks.
    package var sleepers: Int { state.withLock { $0.sleepers.count } }

    package func sleep(until instant: Instant) async throws {
        let woken = OneShot<Bool>()
        let (mustWait, watchers) = state.withLock { state in
            defer { state.watchers = [] }
            let isAhead = state.now < instant
            if isAhead { state.sleepers.append((instant, woken)) }
            return (isAhead, state.watchers)
        }
        for watcher in watchers { watcher.settle(()) }
        guard mustWait else { return }
        guard await woken.value(ifCancelled: false) else { throw CancellationError() }
    }

    /// Waits until a task sleeps for exactly so long.
    package func hasSleeper(for duration: Duration) async {
        while let watcher = watcher(ofSleeperFor: duration) { await watcher.value(ifCancelled: ()) }
    }

    /// Promise that is settled when the next task begins to sleep; nil when one sleeps for so long already.
    private func watcher(ofSleeperFor duration: Duration) -> OneShot<Void>? {
        state.withLock { state in
            let instant = state.now + duration
            if state.sleepers.contains(where: { $0.until == instant && !$0.woken.isSettled }) { return nil }
            let watcher = OneShot<Void>()
            state.watchers.append(watcher)
            return watcher
        }
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
