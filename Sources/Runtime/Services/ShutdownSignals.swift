import Foundation

/// SIGTERM and SIGINT, as something that can be awaited once.
package struct ShutdownSignals: Sendable {
    private let received = OneShot<Int32>()

    /// Starts watching; a second signal ends the process at once.
    package init(on loop: EventLoop) {
        signal(SIGPIPE, SIG_IGN)
        SignalWatch.start([SIGTERM, SIGINT], on: loop) { [received] signal in
            if !received.settle(signal) { exit(128 + signal) }
        }
    }

    /// Waits for the first of the signals and returns its number; SIGTERM's when the task is cancelled.
    package func first() async -> Int32 {
        await received.value(ifCancelled: SIGTERM)
    }
}
