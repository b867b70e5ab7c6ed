import Domain
import Runtime

/// What all turns of a pipeline share, whichever bundle answers them.
final class TurnsShare: Sendable {
    /// The parts and budgets with which the service was started.
    let own: TurnConfiguration
    let metrics: TurnMetrics
    let log: Log
    let time: any TimeSource
    let callBudgets: SharedCallBudgets
    /// By how much a turn's retries are spread, 0 to 1.
    let jitter: @Sendable () -> Double
    let admission: TurnAdmission
    let notices: ScreenFailureLog
    let inFlight = TurnCoalescer()
    let closing: SharedCommitReserve

    init(
        _ own: TurnConfiguration,
        calls: CallBudgets,
        admission: TurnAdmission,
        metrics: TurnMetrics,
        log: Log,
        time: any TimeSource,
        jitter: @escaping @Sendable () -> Double
    ) {
        self.own = own
        self.admission = admission
        callBudgets = SharedCallBudgets(calls)
        self.metrics = metrics
        self.log = log
        self.time = time
        self.jitter = jitter
        notices = ScreenFailureLog(log)
        closing = SharedCommitReserve(time, metrics)
    }
}
