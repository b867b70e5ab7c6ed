import Synchronization

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
