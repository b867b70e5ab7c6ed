import CEvent
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
        SignalWatcher.start([SIGTERM, SIGINT], on: loop) { [weak self] signal in self?.take(signal) }
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

/// Calls on a loop's thread whenever the process receives one of the given signals.
///
/// Only one loop of a process may watch signals, as libevent demands. The watch lasts as long as the process.
package final class SignalWatcher: Sendable {
    private let received: @Sendable (Int32) -> Void

    private init(_ received: @escaping @Sendable (Int32) -> Void) {
        self.received = received
    }

    /// Starts watching and disables the default action of the signals.
    package static func start(_ signals: [Int32], on loop: EventLoop, _ received: @escaping @Sendable (Int32) -> Void) {
        let watch = SignalWatcher(received)
        loop.execute {
            let context = Unmanaged.passRetained(watch).toOpaque()
            for signal in signals {
                let event = event_new(loop.base, signal, Int16(EV_SIGNAL | EV_PERSIST), signalReceived, context)
                event_add(event, nil)
            }
        }
    }

    fileprivate func fire(_ signal: Int32) { received(signal) }
}

private let signalReceived: event_callback_fn = { signal, _, context in
    guard let context else { return }
    Unmanaged<SignalWatcher>.fromOpaque(context).takeUnretainedValue().fire(signal)
}
