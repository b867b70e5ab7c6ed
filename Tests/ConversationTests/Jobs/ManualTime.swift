import Conversation
import Foundation
import Runtime
import Synchronization

/// Time that stands still until a test moves it.
final class ManualTime: TimeSource {
    private struct Sleeper {
        let instant: Instant
        let shot: OneShot<Bool>
    }

    private struct State {
        var now = Instant(nanoseconds: 1_000_000_000_000)
        var sleepers: [Sleeper] = []
        var watchers: [OneShot<Bool>] = []
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var date: Date { Date(timeIntervalSince1970: 1_800_000_000) }

    func sleep(until instant: Instant) async throws {
        let shot = OneShot<Bool>()
        let watchers = state.withLock { state in
            if instant <= state.now {
                shot.settle(true)
            } else {
                state.sleepers.append(Sleeper(instant: instant, shot: shot))
            }
            defer { state.watchers = [] }
            return state.watchers
        }
        for watcher in watchers { watcher.settle(true) }
        guard await shot.value(ifCancelled: false) else { throw CancellationError() }
    }

    /// Moves time forward and wakes who slept until then.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now + duration
            let due = state.sleepers.filter { $0.instant <= state.now }
            state.sleepers.removeAll { $0.instant <= state.now }
            return due
        }
        for sleeper in due { sleeper.shot.settle(true) }
    }

    /// Waits until somebody sleeps until exactly so long from now.
    func hasSleeper(in duration: Duration) async {
        while true {
            let watcher = OneShot<Bool>()
            let isThere = state.withLock { state in
                state.sleepers.removeAll { $0.shot.isSettled }
                if state.sleepers.contains(where: { $0.instant == state.now + duration }) { return true }
                state.watchers.append(watcher)
                return false
            }
            if isThere { return }
            _ = await watcher.value(ifCancelled: false)
        }
    }
}
