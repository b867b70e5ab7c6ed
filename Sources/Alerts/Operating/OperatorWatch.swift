import Conversation
package import Runtime
import Synchronization

/// Pages the operators when a service limit is exceeded, and again when it is met.
///
/// Over the last fifteen minutes, the limits are 2 % failed dispatches, 5 % server errors, and 5 seconds for the 95th
/// percentile of turns.
package final class OperatorWatch: Service {
    /// Interval between two checks of the metrics.
    package static let interval = Duration.seconds(60)

    package let name = "operator_watch"
    private let sample: @Sendable () -> OperatorFigures
    private let page: @Sendable (String) async -> Void
    private let time: any TimeSource
    private let slots = JobSlots(1)
    private let window = Mutex(OperatorWindow())
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Creates the alarm.
    ///
    /// - Parameters:
    ///   - sample: Reads the monotonic metrics.
    ///   - page: Pages the operators.
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

    /// Reads the metrics once and pages about changes.
    package func look() async {
        let pages = window.withLock { $0.take(sample(), at: time.now) }
        for text in pages { await page(text) }
    }
}
