import CEvent
import Foundation
import Synchronization

/// Runs one thread that owns sockets and timers, and the tasks that use them.
///
/// A turn that starts on a loop stays there. One `event_base` watches its HTTP connection, its model call and its
/// database statements, so that nothing changes threads.
///
/// The loop is a `TaskExecutor` for turns. It also has a `SerialExecutor` for the actors that hold a C library's
/// state; C callbacks enter them by `assumeIsolated`.
///
/// Tasks and actors have separate executors. A task on the actors' executor would be queued again at every return
/// from an `async` call, a hundred times a turn.
///
/// Each pass waits for readiness, runs the callbacks, then runs the queued jobs. Jobs that these jobs queue run in
/// the same pass, up to a limit of rounds, so that neither side starves the other.
///
/// `@unchecked Sendable`: `base` and `batch` are used on the loop's thread alone; `inbox` is guarded by its mutex,
/// and the wake descriptor by the kernel.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
    private enum Work {
        case task(UnownedJob)
        case actor(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private struct Inbox {
        var work: [Work] = []
        var idleCalls = FIFOQueue<@Sendable () -> Void>()
        var isAsleep = false
        var isStopped = false
    }

    /// The libevent base, for modules that enclose libevent; used on the loop's thread only.
    package let base: OpaquePointer
    /// The loop's place in its group, from 0.
    package let index: Int
    /// The number of times that a pass looks for newly queued jobs.
    private static let roundsPerPass = 16

    private let actors = LoopActorExecutor()
    private let inbox = Mutex(Inbox())
    private var batch: [Work] = []
    private let wakeDescriptor: Int32
    private let ended = DispatchSemaphore(value: 0)

    /// Starts a loop on a new thread.
    ///
    /// - Parameter index: The loop's place in its group; also part of the thread's name.
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

    /// The loop of the current thread; nil on any other thread.
    package static var current: EventLoop? { CurrentLoop.get() }

    /// True if the caller is on this loop's thread.
    package var isCurrent: Bool { CurrentLoop.get() === self }

    /// Returns true if the caller is on the loop that owns an executor.
    static func isCurrent(_ executor: LoopActorExecutor) -> Bool { CurrentLoop.get()?.actors === executor }

    /// Runs a closure on the loop's thread, after all queued work.
    package func execute(_ work: @escaping @Sendable () -> Void) {
        append(.call(work))
    }

    /// Runs a closure on the loop's thread when nothing is queued; of several closures one runs at each such moment.
    ///
    /// Serves simulated time: while only tasks of this loop take part, an idle loop means that all of them wait.
    package func whenIdle(_ work: @escaping @Sendable () -> Void) {
        let mustWake = inbox.withLock { inbox in
            inbox.idleCalls.append(work)
            defer { inbox.isAsleep = false }
            return inbox.isAsleep
        }
        if mustWake { wake() }
    }

    /// Ends the loop once all queued work has run, and waits for its thread; must not be called on the loop itself.
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

    /// Queues a job of an actor of this loop.
    func enqueueForActor(_ job: consuming ExecutorJob) {
        append(.actor(UnownedJob(job)))
    }

    /// Returns the executor of the actors on this loop; each actor must hold the loop.
    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: actors)
    }

    /// Makes a base that sends its changes to the kernel once a pass.
    ///
    /// A watch that is removed and added again within a pass then costs one system call at most. In return, no open
    /// file may be watched under two descriptors.
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

    /// Ends the wait for readiness; never needed on the loop's own thread.
    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeDescriptor, &one, 8)
    }

    /// Runs passes until the loop is stopped.
    ///
    /// `EVLOOP_NONBLOCK` alone would look for ready sockets until there is none, and delay queued work.
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

    /// Returns true if the next pass may wait for readiness; nil when the loop is stopped and nothing is queued.
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

/// The service's event loops, one for each core by default.
package final class EventLoopGroup: Sendable {
    /// The loops, in order of their index.
    package let loops: [EventLoop]
    private let turn = Atomic<Int>(0)

    /// Starts the loops.
    package init(count: Int = ProcessInfo.processInfo.activeProcessorCount) {
        loops = (0..<max(1, count)).map { EventLoop(index: $0) }
    }

    /// The caller's own loop; otherwise the next one in turn.
    package var nearest: EventLoop {
        if let current = EventLoop.current, current.index < loops.count, loops[current.index] === current {
            return current
        }
        return loops[turn.wrappingAdd(1, ordering: .relaxed).oldValue % loops.count]
    }

    /// Ends every loop once all queued work has run; must not be called on a loop.
    package func stop() {
        for loop in loops { loop.stop() }
    }
}

/// The serial executor of the actors on an event loop.
///
/// The loop outlives its actors because each actor holds it.
final class LoopActorExecutor: SerialExecutor {
    private struct Loop {
        weak var loop: EventLoop?
    }

    private let loop = Mutex(Loop())

    /// Sets the loop of the actors.
    func join(_ loop: EventLoop) {
        self.loop.withLock { $0.loop = loop }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        guard let loop = loop.withLock({ $0.loop }) else { preconditionFailure("an actor has outlived its event loop") }
        loop.enqueueForActor(job)
    }

    func checkIsolated() {
        precondition(EventLoop.isCurrent(self), "called off the event loop that owns this state")
    }

    func isIsolatingCurrentContext() -> Bool? { EventLoop.isCurrent(self) }
}

/// Stores the event loop of each thread.
enum CurrentLoop {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    static func get() -> EventLoop? {
        pthread_getspecific(key).map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Sets the loop of this thread.
    ///
    /// The thread holds its loop while it runs, so that an unowned pointer is enough.
    static func set(_ loop: EventLoop?) {
        pthread_setspecific(key, loop.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    }
}
