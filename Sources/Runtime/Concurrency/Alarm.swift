import Dispatch
import Synchronization

/// Calls a function once at a deadline unless it is cancelled or released first.
///
/// Meant for code that runs on no event loop; on a loop a ``LoopTimer`` is cheaper. The call comes on a thread of the
/// system.
package final class Alarm: Sendable {
    private let isOff = Atomic(false)

    /// Sets the alarm; a deadline that has passed calls at once.
    package init(at deadline: Deadline, _ ring: @escaping @Sendable () -> Void) {
        let delay = DispatchTimeInterval.nanoseconds(Int(clamping: deadline.remaining().nanoseconds))
        DispatchQueue.global(qos: .userInitiated).asyncAfter(
            deadline: .now() + delay,
            execute: { [weak self] in
                if let self, !isOff.load(ordering: .acquiring) { ring() }
            }
        )
    }

    /// Prevents the call if it has not begun.
    package func cancel() {
        isOff.store(true, ordering: .releasing)
    }
}
