import Runtime

/// Snapshot of the service's metrics.
///
/// Differences between two snapshots show what happened between them.
struct HealthSample: Sendable {
    let at: Instant
    let turns: [[String]: HistogramSnapshot]
    let stages: [[String]: HistogramSnapshot]
    let routes: [[String]: HistogramSnapshot]
    let requests: Int
    let failedRequests: Int
    let dispatches: Int
    let failedDispatches: Int
    /// Number of answered turns.
    let answered: Int
    /// Number of degraded turns by degraded part.
    let degraded: [[String]: Int]
    /// Calls to models by model, role and outcome.
    let modelCalls: [[String]: Int]
    /// Name and depth of each queue.
    let queues: [(name: String, depth: Double)]

    private static let queueGauges = [
        ("Turns in flight", "hearth_turns_in_flight"), ("Requests in flight", "hearth_http_requests_in_flight"),
        ("Waiting for PostgreSQL", "hearth_postgres_waiting"), ("Writes in the spool", "hearth_spool_waiting"),
        ("Open connections", "hearth_http_connections"), ("Live pages", "hearth_console_watchers"),
    ]

    /// Reads the metrics registry; takes less than a millisecond.
    init(of metrics: Metrics, at now: Instant) {
        at = now
        turns = metrics.snapshots("hearth_turn_seconds")
        stages = metrics.snapshots("hearth_stage_seconds")
        routes = metrics.snapshots("hearth_http_request_seconds")
        requests = metrics.total("hearth_http_requests_total")
        failedRequests = metrics.total("hearth_http_requests_total") { $0.last?.hasPrefix("5") == true }
        dispatches = metrics.total("hearth_alert_dispatches_total")
        failedDispatches = metrics.total("hearth_alert_dispatches_total") { $0.last != "accepted" }
        answered = metrics.total("hearth_turns_total")
        degraded = metrics.counts("hearth_degraded_total")
        modelCalls = metrics.counts("hearth_model_calls_total")
        queues = Self.queueGauges.map { ($0, metrics.sum($1)) }
    }

    /// Sums all series of a histogram.
    static func merged(_ series: [[String]: HistogramSnapshot]) -> HistogramSnapshot {
        let none = HistogramSnapshot(counts: [Int](repeating: 0, count: Histogram.bounds.count), count: 0)
        return series.values.reduce(none) { sum, next in
            HistogramSnapshot(counts: zip(sum.counts, next.counts).map(+), count: sum.count + next.count)
        }
    }
}
