package import Runtime

/// The metrics of turns.
package struct TurnMetrics: Sendable {
    let turns: Counter
    let turnSeconds: Histogram
    let stageSeconds: Histogram
    let degraded: Counter
    let alerts: Counter
    let spooledAlerts: Counter
    let unrecordedAlerts: Counter
    let ladder: LadderMetrics
    let screenFailures: Counter
    let reserve: Gauge

    /// Registers the metrics.
    package init(_ metrics: Metrics) {
        ladder = LadderMetrics(metrics)
        turns = metrics.counter("hearth_turns_total", "Turns answered, by where the words came from.", labels: "source")
        turnSeconds = metrics.histogram("hearth_turn_seconds", "Time to answer a turn.", labels: "source")
        stageSeconds = metrics.histogram("hearth_stage_seconds", "Time spent in a stage of a turn.", labels: "stage")
        degraded = metrics.counter("hearth_degraded_total", "Turns that did without a part.", labels: "part")
        alerts = metrics.counter("hearth_alerts_total", "Alerts made durable.", labels: "level", "category")
        spooledAlerts = metrics.counter(
            "hearth_alerts_spooled_total",
            "Alerts made durable in the spool because the system of record was away."
        )
        unrecordedAlerts = metrics.counter(
            "hearth_alerts_unrecorded_total",
            "Alerts that were decided and could be written neither to the record nor to the spool."
        )
        screenFailures = metrics.counter(
            "hearth_screen_failures_total",
            "Turns that a part of the screen did not look at: rules, detector or replies.",
            labels: "part"
        )
        reserve = metrics.gauge(
            "hearth_turn_reserve_seconds",
            "What the last turn kept back from its model: more than the setting while answering takes long."
        )
    }

    func count(_ reply: Reply, _ trace: Trace) {
        turns.add(1, reply.source.rawValue)
        turnSeconds.record(trace.elapsed, reply.source.rawValue)
        for span in trace.spans { stageSeconds.record(span.duration, span.stage) }
        for part in reply.degraded { degraded.add(1, part.rawValue) }
    }
}
