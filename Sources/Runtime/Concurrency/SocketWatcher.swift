import CEvent
import Foundation

/// The directions in which a socket is watched or ready.
package struct SocketReadiness: OptionSet, Sendable {
    package let rawValue: Int16

    package init(rawValue: Int16) {
        self.rawValue = rawValue
    }

    /// Bytes or the end of the stream can be read.
    package static let readable = SocketReadiness(rawValue: Int16(EV_READ))
    /// Bytes can be written.
    package static let writable = SocketReadiness(rawValue: Int16(EV_WRITE))
}

/// Watches a socket of a C library and calls whenever it is ready.
///
/// Confined to its loop: made, changed and released on the loop's thread. Level-triggered: it calls again on the next
/// pass while the socket stays ready.
///
/// The descriptor belongs to its owner, who must release the watch before closing it.
package final class SocketWatcher {
    private let loop: EventLoop
    private let descriptor: Int32
    private let ready: (SocketReadiness) -> Void
    private var event: OpaquePointer?
    private var interest: SocketReadiness = []

    /// Makes a watch that waits for nothing yet.
    package init(_ loop: EventLoop, descriptor: Int32, _ ready: @escaping (SocketReadiness) -> Void) {
        precondition(loop.isCurrent, "a socket is watched on its loop")
        self.loop = loop
        self.descriptor = descriptor
        self.ready = ready
    }

    /// Sets the awaited directions; an empty set waits for nothing.
    package func wait(for interest: SocketReadiness) {
        guard interest != self.interest else { return }
        self.interest = interest
        release()
        guard !interest.isEmpty else { return }
        let what = interest.rawValue | Int16(EV_PERSIST)
        event = event_new(loop.base, descriptor, what, socketReady, Unmanaged.passUnretained(self).toOpaque())
        event_add(event, nil)
    }

    fileprivate func fire(_ what: SocketReadiness) { ready(what) }

    private func release() {
        guard let event else { return }
        event_free(event)
        self.event = nil
    }

    deinit { release() }
}

private let socketReady: event_callback_fn = { _, what, context in
    guard let context else { return }
    let readiness = SocketReadiness(rawValue: what).intersection([.readable, .writable])
    Unmanaged<SocketWatcher>.fromOpaque(context).takeUnretainedValue().fire(readiness)
}

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
        event = event_new(loop.base, -1, 0, timerFired, Unmanaged.passUnretained(self).toOpaque())
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

    /// Stops the timer until it is started again.
    package func cancel() {
        event_del(event)
    }

    fileprivate func fire() { ring() }

    deinit { event_free(event) }
}

private let timerFired: event_callback_fn = { _, _, context in
    guard let context else { return }
    Unmanaged<LoopTimer>.fromOpaque(context).takeUnretainedValue().fire()
}
