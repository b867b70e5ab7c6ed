package import Foundation

/// Where a rule that depends on time reads it, so that a test can move it by hand.
package protocol TimeSource: Sendable {
    /// The monotonic instant.
    var now: Instant { get }

    /// The wall-clock time.
    var date: Date { get }

    /// Suspends until an instant; returns at once when it has passed.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    func sleep(until instant: Instant) async throws
}

/// The machine's own clocks.
package struct SystemTime: TimeSource {
    /// Makes the machine's time source.
    package init() {}

    package var now: Instant { .now }
    package var date: Date { Date() }

    package func sleep(until instant: Instant) async throws {
        try await Task.sleep(for: max(Duration.zero, instant.since(.now)), tolerance: .zero, clock: .suspending)
    }
}
