import Foundation
import Synchronization

/// Makes SIGTERM and SIGINT awaitable.
package final class ShutdownSignals: Sendable {
    private struct State {
        var received: Int32?
        var waiting: [OneShot<Int32>] = []
    }

    private let state = Mutex(State())

    /// Starts watching; a second signal ends the process at once.
    package init(on loop: EventLoop) {
        signal(SIGPIPE, SIG_IGN)
        SignalWatch.start([SIGTERM, SIGINT], on: loop) { [weak self] signal in self?.take(signal) }
    }

    /// Waits for the first of the signals and returns its number; returns SIGTERM when the task is cancelled.
    package func first() async -> Int32 {
        let waiter = OneShot<Int32>()
        state.withLock { state in
            if let received = state.received { waiter.settle(received) } else { state.waiting.append(waiter) }
        }
        return await waiter.value(ifCancelled: SIGTERM)
    }

    private func take(_ signal: Int32) {
        let waiting = state.withLock { state in
            if state.received != nil { exit(128 + signal) }
            state.received = signal
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.settle(signal) }
    }
}
