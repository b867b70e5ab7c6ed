package import Runtime

/// The metrics of second checks.
package struct TriageMetrics: Sendable {
    let looks: Counter
    let seconds: Histogram

    /// Registers the metrics.
    package init(_ metrics: Metrics) {
        looks = metrics.counter(
            "hearth_triage_total",
            "Messages that a model was to look at once more, by what came of it.",
            labels: "outcome"
        )
        seconds = metrics.histogram("hearth_triage_seconds", "Time from a second look's beginning to its end.")
    }
}
