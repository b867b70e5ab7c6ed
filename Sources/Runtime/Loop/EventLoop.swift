import CEvent
import Foundation
import Synchronization

/// One thread that owns sockets and timers, and runs the tasks that use them.
///
/// A turn that starts on a loop stays there: its HTTP connection, its model call and its database statements are all
/// watched by the same `event_base`, so that nothing hops threads. The loop is a `TaskExecutor` for turns and has a
/// `SerialExecutor` for the actors that hold a C library's state, which C callbacks enter by `assumeIsolated`.
///
/// The two are told apart: a task that is no actor's runs as such, since one that ran as the actors' would have to be queued
/// anew at every return from an `async` call, a hundred times a turn.
///
/// Each pass waits for readiness, runs the callbacks, then runs the jobs that were queued, with those that these queue, some
/// times over; what is queued after that waits for the next pass, so that neither side starves the other.
///
/// `@unchecked Sendable`: `base` and `batch` are used on the loop's thread alone; `inbox` is guarded by its mutex, and the
/// wake descriptor by the kernel.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
    private enum Work {
        case task(UnownedJob)
        case actor(UnownedJob)
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
    /// How often a pass looks for jobs that its jobs have queued.
    private static let roundsPerPass = 16

    private let actors = LoopActorExecutor()
    private let inbox = Mutex(Inbox())
    private var batch: [Work] = []
    private let wakeDescriptor: Int32
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
        actors.join(self)
        let started = DispatchSemaphore(value: 0)
        let thread = Thread { [self] in
            CurrentLoop.set(self)
            ThreadName.set("loop-\(index)")
            started.signal()
            run()
            ended.signal()
        }
        thread.stackSize = 8 << 20
        thread.start()
        started.wait()
    }

    /// The loop whose thread this is called on, if it is a loop's.
    package static var current: EventLoop? { CurrentLoop.get() }

    /// Whether the caller is on this loop's thread.
    package var isCurrent: Bool { CurrentLoop.get() === self }

    /// Whether the caller is on the thread of the loop whose actors an executor runs.
    static func isCurrent(_ executor: LoopActorExecutor) -> Bool { CurrentLoop.get()?.actors === executor }

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
        append(.task(UnownedJob(job)))
    }

    /// Queues what an actor of this loop is to do.
    func enqueueForActor(_ job: consuming ExecutorJob) {
        append(.actor(UnownedJob(job)))
    }

    /// The executor of actors that live on this loop; they hold the loop as long as they live.
    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: actors)
    }

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
        if mustWake, !isCurrent { wake() }
    }

    /// Ends the wait for readiness; on the loop itself there is none to end.
    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeDescriptor, &one, 8)
    }

    /// Runs passes until the loop is stopped.
    ///
    /// `EVLOOP_NONBLOCK` alone would go on looking for ready sockets until there is none, and keep queued work waiting.
    private func run() {
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
        for _ in 0..<Self.roundsPerPass {
            batch.removeAll(keepingCapacity: true)
            inbox.withLock { inbox in
                inbox.isAsleep = false
                swap(&batch, &inbox.work)
            }
            guard !batch.isEmpty else { return }
            for work in batch { run(work) }
        }
    }

    private func run(_ work: Work) {
        switch work {
        case .task(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        case .actor(let job):
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        case .call(let call): call()
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
