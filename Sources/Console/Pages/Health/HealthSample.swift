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
    /// Number of alerts by level and category.
    let alerts: [[String]: Int]
    /// Number of times that a bundle was put in force.
    let swaps: Int
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
        alerts = metrics.counts("hearth_alerts_total")
        swaps = metrics.total("hearth_bundle_swaps_total")
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

/// Time series with one point per six samples: 30 seconds of the last 15 minutes, six minutes of three hours.
struct HealthSeries: Sendable {
    /// Number of samples per point.
    private static let stride = 6
    /// Latency percentiles that are shown.
    static let shares = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)]

    private let samples: [HealthSample]
    private let ends: [Int]

    init(_ samples: [HealthSample]) {
        self.samples = samples
        ends = Array(Swift.stride(from: 0, to: samples.count, by: Self.stride))
    }

    /// Percentiles of a histogram in seconds, point by point.
    func quantiles(_ read: (HealthSample) -> HistogramSnapshot?) -> [Plot.Line] {
        let spans = zip(ends, ends.dropFirst()).map { start, end in
            read(samples[end])?.since(read(samples[start]))
        }
        return Self.shares.map { name, share in
            Plot.Line(name, spans.map { $0?.quantile(share)?.seconds })
        }
    }

    /// A count, point by point.
    func counts(_ read: (HealthSample) -> Int) -> [Double?] {
        zip(ends, ends.dropFirst()).map { Double(read(samples[$1]) - read(samples[$0])) }
    }

    /// A depth, point by point.
    func depths(_ read: (HealthSample) -> Double) -> [Double?] { ends.dropFirst().map { read(samples[$0]) } }

    /// The greatest value of a line above zero, with the time since the end of its point; nil without one.
    func peak(_ values: [Double?]) -> (value: Double, ago: Duration)? {
        let known = values.enumerated().compactMap { index, value in value.map { (index: index, value: $0) } }
        guard let greatest = known.max(by: { $0.value < $1.value }), greatest.value > 0,
            greatest.index + 1 < ends.count, let last = samples.last
        else { return nil }
        return (greatest.value, last.at.since(samples[ends[greatest.index + 1]].at))
    }

    /// The times since a bundle was put in force, the latest last.
    var swaps: [Duration] {
        guard let last = samples.last else { return [] }
        return zip(samples, samples.dropFirst()).filter { $1.swaps > $0.swaps }.map { last.at.since($1.at) }
    }

    /// The places from 0 to 1 at which a bundle was put in force.
    var changes: [Double] {
        let points = max(1, ends.count - 2)
        return zip(ends, ends.dropFirst()).enumerated().compactMap { index, pair in
            samples[pair.1].swaps > samples[pair.0].swaps ? Double(index) / Double(points) : nil
        }
    }

    /// A share in percent, point by point; nil where nothing was counted.
    func percent(_ part: (HealthSample) -> Int, of whole: (HealthSample) -> Int) -> [Double?] {
        zip(ends, ends.dropFirst()).map { start, end in
            let count = whole(samples[end]) - whole(samples[start])
            guard count > 0 else { return nil }
            return Double(part(samples[end]) - part(samples[start])) / Double(count) * 100
        }
    }
}
