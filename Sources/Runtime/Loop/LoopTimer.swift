import CEvent
import Foundation

/// A timer on an event loop that calls once after each start.
///
/// Confined to its loop: made, started, cancelled and released on the loop's thread. Starting a running timer moves
/// it.
package final class LoopTimer {
    private var event: OpaquePointer?
    private let ring: () -> Void

    package init(_ loop: EventLoop, _ ring: @escaping () -> Void) {
        precondition(loop.isCurrent, "a loop's timer is made on the loop")
        self.ring = ring
        event = event_new(loop.base, -1, 0, timerRang, Unmanaged.passUnretained(self).toOpaque())
        precondition(event != nil, "libevent could not make a timer")
    }

    /// Calls after a duration; zero calls on the next pass.
    package func start(after duration: Duration) {
        let microseconds = max(0, (duration.nanoseconds + 999) / 1000)
        var time = timeval(tv_sec: Int(microseconds / 1_000_000), tv_usec: Int(microseconds % 1_000_000))
        event_add(event, &time)
    }

    /// Calls at a deadline.
    package func start(at deadline: Deadline) {
        start(after: deadline.remaining())
    }

    /// Calls within this pass, after the due callbacks and before the loop looks at its sockets again.
    package func startNow() {
        event_active(event, Int32(EV_TIMEOUT), 0)
    }

    /// Stops the timer until it is started again.
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
