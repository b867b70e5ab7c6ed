import Conversation
package import Runtime
import Synchronization

/// Pages the operators when the service does worse than was promised: once when a limit is passed, and again when it holds.
///
/// Over the last fifteen minutes: more than 2 % of dispatches failed, more than 5 % of requests answered with an error of
/// ours, or the slowest twentieth of turns took more than 5 seconds.
package final class OperatorWatch: Service {
    /// How often the figures are looked at.
    package static let interval = Duration.seconds(60)

    package let name = "operator_watch"
    private let sample: @Sendable () -> OperatorFigures
    private let page: @Sendable (String) async -> Void
    private let time: any TimeSource
    private let slots = JobSlots(1)
    private let window = Mutex(OperatorWindow())
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Makes a watch.
    ///
    /// - Parameters:
    ///   - sample: Reads the figures, which only grow.
    ///   - page: Tells the operators.
    package init(
        sample: @escaping @Sendable () -> OperatorFigures,
        time: any TimeSource = SystemTime(),
        page: @escaping @Sendable (String) async -> Void
    ) {
        self.sample = sample
        self.page = page
        self.time = time
    }

    package func start() async throws {
        task.withLock { $0 = Task { await run() } }
    }

    package func drain(by deadline: Deadline) async {
        slots.stop()
        guard let running = task.withLock({ $0 }) else { return }
        running.cancel()
        await running.value
    }

    private func run() async {
        while slots.free != nil, !Task.isCancelled {
            await look()
            await slots.waitForWork(until: time.now + Self.interval, time)
        }
    }

    /// Reads the figures once and pages what has changed.
    package func look() async {
        let pages = window.withLock { $0.take(sample(), at: time.now) }
        for text in pages { await page(text) }
    }
}
