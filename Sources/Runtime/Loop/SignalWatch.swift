import CEvent
import Foundation

/// Calls on a loop's thread whenever the process receives one of the given signals.
///
/// Only one loop of a process may watch signals, as libevent demands. The watch lasts as long as the process.
package final class SignalWatch: Sendable {
    private let received: @Sendable (Int32) -> Void

    private init(_ received: @escaping @Sendable (Int32) -> Void) {
        self.received = received
    }

    /// Starts watching and disables the default action of the signals.
    package static func start(_ signals: [Int32], on loop: EventLoop, _ received: @escaping @Sendable (Int32) -> Void) {
        let watch = SignalWatch(received)
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
    Unmanaged<SignalWatch>.fromOpaque(context).takeUnretainedValue().fire(signal)
}
