import Runtime
import Testing

/// Alarms of waiting tasks, on an event loop and elsewhere.
@Suite(.timeLimit(.minutes(1))) struct TaskAlarmTests {
    @Test func `an alarm rings on the task's loop, and for a task without a loop on a thread of the system`() async {
        let loops = EventLoopGroup(count: 1)
        let onLoop = await withTaskExecutorPreference(loops.loops[0]) { await Self.rings() }
        #expect(onLoop == true)
        loops.stop()
        #expect(await Self.rings() == false)
    }

    @Test func `a cancelled alarm does not ring`() async {
        let loops = EventLoopGroup(count: 1)
        let isFirstSettled = await withTaskExecutorPreference(loops.loops[0]) {
            let (first, later) = (OneShot<Void>(), OneShot<Void>())
            TaskAlarm(at: Deadline(after: .milliseconds(1))) { first.settle(()) }.cancel()
            let alarm = TaskAlarm(at: Deadline(after: .milliseconds(5))) { later.settle(()) }
            defer { alarm.cancel() }
            await later.value(ifCancelled: ())
            return first.isSettled
        }
        loops.stop()
        #expect(!isFirstSettled)
    }

    /// Sets an alarm; returns true if it rang on a loop.
    private static func rings() async -> Bool? {
        let rang = OneShot<Bool?>()
        let alarm = TaskAlarm(at: Deadline(after: .milliseconds(1))) { rang.settle(EventLoop.current != nil) }
        defer { alarm.cancel() }
        return await rang.value(ifCancelled: nil)
    }
}
