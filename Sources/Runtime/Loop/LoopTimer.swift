import CEvent
import Foundation

/// A timer on an event loop: calls once after each time that it is started.
///
/// Confined to its loop: made, started, cancelled and released on the loop's thread. Starting a running timer moves it.
package final class LoopTimer {
    private var event: OpaquePointer?
    private let ring: () -> Void

    /// Makes a timer that is not running.
    package init(_ loop: EventLoop, _ ring: @escaping () -> Void) {
        precondition(loop.isCurrent, "a loop's timer is made on the loop")
        self.ring = ring
        event = event_new(loop.base, -1, 0, timerRang, Unmanaged.passUnretained(self).toOpaque())
        precondition(event != nil, "libevent could not make a timer")
    }

    /// Rings after a duration; zero rings on the next pass.
    package func start(after duration: Duration) {
        let microseconds = max(0, (duration.nanoseconds + 999) / 1000)
        var time = timeval(tv_sec: Int(microseconds / 1_000_000), tv_usec: Int(microseconds % 1_000_000))
        event_add(event, &time)
    }

    /// Rings at a deadline.
    package func start(at deadline: Deadline) {
        start(after: deadline.remaining())
    }

    /// Rings within this pass, after the callbacks that are due and before the loop looks at its sockets again.
    package func startNow() {
        event_active(event, Int32(EV_TIMEOUT), 0)
    }

    /// Keeps the timer from ringing until it is started again.
    package func cancel() {
        event_del(event)
    }

    fileprivate func fire() { ring() }

    deinit { event_free(event) }
}

private let timerRang: event_callback_fn = { _, _, context in
    guard let context else { return }
    Unmanaged<LoopTimer>.fromOpaque(context).takeUnretainedValue().fire()
}
