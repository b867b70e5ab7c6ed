/// An alarm for the wait of a task: a timer of the task's event loop, or an ``Alarm`` for a task that runs on none.
///
/// The timer costs some hundred instructions; an ``Alarm`` wakes two threads of the system. It does so once when it is
/// set and once when its time has come, cancelled or not. The task that sets it cancels it, since it returns to its
/// loop after the wait.
package struct TaskAlarm {
    private let timer: LoopTimer?
    private let alarm: Alarm?

    /// Sets the alarm; a deadline that has passed calls soon.
    package init(at deadline: Deadline, _ ring: @escaping @Sendable () -> Void) {
        guard let loop = EventLoop.current else {
            (timer, alarm) = (nil, Alarm(at: deadline, ring))
            return
        }
        let timer = LoopTimer(loop, ring)
        timer.start(at: deadline)
        (self.timer, alarm) = (timer, nil)
    }

    /// Prevents the call if it has not begun.
    package func cancel() {
        timer?.cancel()
        alarm?.cancel()
    }
}
