import Runtime
import Synchronization

/// Repeats one look for work that is due: at once while more may be due, and after a pause otherwise.
final class PeriodicWork: Sendable {
    private let pause: Duration
    private let time: any TimeSource
    private let slots = JobSlotPool(1)
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Creates it without starting it.
    ///
    /// - Parameter pause: Time until the next look when nothing more is due.
    init(pause: Duration, time: any TimeSource) {
        (self.pause, self.time) = (pause, time)
    }

    /// True when nothing more is to be begun.
    var isStopped: Bool { slots.free == nil }

    /// Starts to look.
    ///
    /// - Parameter look: Does what is due; returns true if more may be.
    func start(_ look: @escaping @Sendable () async -> Bool) {
        task.withLock {
            $0 = Task {
                while !isStopped, !Task.isCancelled {
                    if await !look() { await slots.waitForWork(until: time.now + pause, time) }
                }
            }
        }
    }

    /// Begins nothing more, and lets the look in progress end until shortly before the deadline.
    func drain(by deadline: Deadline) async {
        slots.stop()
        guard let running = task.withLock({ $0 }) else { return }
        let alarm = Alarm(at: deadline.reserving(.milliseconds(100))) { running.cancel() }
        await running.value
        alarm.cancel()
    }
}
