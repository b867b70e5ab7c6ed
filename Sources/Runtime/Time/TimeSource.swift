package import Foundation

/// Gives the time to rules that depend on it, so that a test can move it by hand.
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
