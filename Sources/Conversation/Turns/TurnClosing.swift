import Runtime
import Synchronization

/// The measure of the time after the last word that all turns of a pipeline share.
final class TurnClosing: Sendable {
    private let closing = Mutex(ClosingTime())
    private let time: any TimeSource
    private let kept: Gauge

    init(_ time: any TimeSource, _ metrics: TurnMetrics) {
        self.time = time
        kept = metrics.reserve
    }

    /// Returns the instant by which a turn's model must have ended.
    func limit(of deadline: Deadline, reserving least: Duration) -> Deadline {
        let now = time.now
        let left = deadline.remaining(at: now)
        let reserve = closing.withLock { $0.reserve(atLeast: least, of: left, at: now) }
        kept.set(reserve.seconds)
        return deadline.reserving(reserve)
    }

    /// Notes the answer of a turn whose last word came at an instant.
    func note(lastWordAt spoken: Instant, by limit: Deadline) {
        let now = time.now
        let took = now.since(min(spoken, limit.instant))
        closing.withLock { $0.note(took, at: now) }
    }
}
