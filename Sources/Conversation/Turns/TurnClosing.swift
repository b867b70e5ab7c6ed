import Runtime
import Synchronization

/// The closing time that all turns of a pipeline share.
final class TurnClosing: Sendable {
    private let closing = Mutex(ClosingTime())
    private let time: any TimeSource
    private let kept: Gauge

    init(_ time: any TimeSource, _ metrics: TurnMetrics) {
        self.time = time
        kept = metrics.reserve
    }

    /// By when a turn's model must have ended.
    func limit(of deadline: Deadline, reserving least: Duration) -> Deadline {
        let now = time.now
        let left = deadline.remaining(at: now)
        let reserve = closing.withLock { $0.reserve(atLeast: least, of: left, at: now) }
        kept.set(reserve.seconds)
        return deadline.reserving(reserve)
    }

    /// Notes that a turn is answered whose last word came at an instant.
    func note(lastWordAt spoken: Instant, by limit: Deadline) {
        let now = time.now
        let took = now.since(min(spoken, limit.instant))
        closing.withLock { $0.note(took, at: now) }
    }
}
