import CEvent
import Foundation
import Synchronization

/// One thread that owns sockets and timers, and runs the tasks that use them.
///
/// A turn that starts on a loop stays there: its HTTP connection, its model call and its database statements are all
/// watched by the same `event_base`, so that nothing hops threads. The loop is a `TaskExecutor` for turns and a
/// `SerialExecutor` for the actors that hold a C library's state, which C callbacks enter by `assumeIsolated`.
///
/// Each pass waits for readiness, runs the callbacks, then runs the jobs that were queued until then; jobs queued
/// meanwhile wait for the next pass, so that neither side starves the other.
///
/// `@unchecked Sendable`: `base` is used on the loop's thread alone, except `inbox`, which its mutex guards, and the
/// wake descriptor, which the kernel guards.
package final class EventLoop: TaskExecutor, SerialExecutor, @unchecked Sendable {
    private enum Work {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private struct Inbox {
        var work: [Work] = []
        var idleCalls = FirstInFirstOut<@Sendable () -> Void>()
        var isAsleep = false
        var isStopped = false
    }

    /// The libevent base; for modules that enclose libevent, on the loop's thread only.
    package let base: OpaquePointer
    /// Which of the group's loops this is, from 0.
    package let index: Int
    private let inbox = Mutex(Inbox())
    private let wakeDescriptor: Int32
    private let thread = Mutex<pthread_t?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts a loop on a new thread.
    ///
    /// - Parameter index: Which of its group's loops it is; also in the thread's name.
    package init(index: Int = 0) {
        guard let base = Self.makeBase() else { preconditionFailure("libevent could not make an event base") }
        self.base = base
        self.index = index
        wakeDescriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        precondition(wakeDescriptor >= 0, "no descriptor left for an event loop")
        let started = DispatchSemaphore(value: 0)
        let thread = Thread { [self] in
            self.thread.withLock { $0 = pthread_self() }
            started.signal()
            run()
            ended.signal()
        }
        thread.name = "loop-\(index)"
        thread.stackSize = 8 << 20
        thread.start()
        started.wait()
    }

    /// The loop whose thread this is called on, if it is a loop's.
    package static var current: EventLoop? { CurrentLoop.get() }

    /// Whether the caller is on this loop's thread.
    package var isCurrent: Bool {
        thread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    /// Runs a closure on the loop's thread, after what is queued already.
    package func execute(_ work: @escaping @Sendable () -> Void) {
        append(.call(work))
    }

    /// Runs a closure on the loop's thread the next time that nothing is queued; of several, one at each such moment.
    ///
    /// For simulated time: while tasks of this loop alone take part, an idle loop means that all of them wait.
    package func whenIdle(_ work: @escaping @Sendable () -> Void) {
        let mustWake = inbox.withLock { inbox in
            inbox.idleCalls.append(work)
            defer { inbox.isAsleep = false }
            return inbox.isAsleep
        }
        if mustWake { wake() }
    }

    /// Ends the loop once what is queued has run, and waits for its thread; not from the loop itself.
    package func stop() {
        precondition(!isCurrent, "a loop cannot wait for its own end")
        let first = inbox.withLock { inbox in
            defer { inbox.isStopped = true }
            return !inbox.isStopped
        }
        guard first else { return }
        wake()
        ended.wait()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        append(.job(UnownedJob(job)))
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    package func checkIsolated() {
        precondition(isCurrent, "called off the event loop that owns this state")
    }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Makes a base that tells the kernel once a pass what has changed.
    ///
    /// A watch that goes off and on again within a pass then costs one system call at most. It asks that no open file is
    /// watched under two descriptors.
    private static func makeBase() -> OpaquePointer? {
        let settings = event_config_new()
        defer { event_config_free(settings) }
        event_config_set_flag(settings, Int32(EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST.rawValue))
        return event_base_new_with_config(settings)
    }

    private func append(_ work: Work) {
        let mustWake = inbox.withLock { inbox in
            inbox.work.append(work)
            defer { inbox.isAsleep = false }
            return inbox.isAsleep
        }
        if mustWake { wake() }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeDescriptor, &one, 8)
    }

    /// Runs passes until the loop is stopped.
    ///
    /// `EVLOOP_NONBLOCK` alone would go on looking for ready sockets until there is none, and keep queued work waiting.
    private func run() {
        CurrentLoop.set(self)
        let waker = event_new(base, wakeDescriptor, Int16(EV_READ | EV_PERSIST), drainWakeups, nil)
        event_add(waker, nil)
        while let mayWait = nextPass() {
            event_base_loop(base, mayWait ? EVLOOP_ONCE : EVLOOP_ONCE | EVLOOP_NONBLOCK)
            runQueuedWork()
        }
        runQueuedWork()
        event_free(waker)
        CurrentLoop.set(nil)
    }

    /// Whether the next pass may wait for readiness; nil when the loop has been stopped and nothing is queued.
    private func nextPass() -> Bool? {
        inbox.withLock { inbox in
            if inbox.work.isEmpty, let call = inbox.idleCalls.popFirst() { inbox.work.append(.call(call)) }
            if inbox.isStopped && inbox.work.isEmpty { return nil }
            inbox.isAsleep = inbox.work.isEmpty && !inbox.isStopped
            return inbox.isAsleep
        }
    }

    private func runQueuedWork() {
        var batch: [Work] = []
        inbox.withLock { inbox in
            inbox.isAsleep = false
            swap(&batch, &inbox.work)
        }
        for work in batch {
            switch work {
            case .job(let job):
                job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            case .call(let call):
                call()
            }
        }
    }

    deinit {
        close(wakeDescriptor)
        event_base_free(base)
    }
}

private let drainWakeups: event_callback_fn = { descriptor, _, _ in
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
}
