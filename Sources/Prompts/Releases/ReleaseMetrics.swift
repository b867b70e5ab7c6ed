package import Runtime

/// The metrics of bundles and trials.
package struct ReleaseMetrics: Sendable {
    let reloads: Counter
    let swaps: Counter
    let trialTurns: Counter
    let trialEvidence: Gauge
    let lostOutcomes: Counter
    let shadows: Counter

    /// Registers the metrics.
    package init(_ metrics: Metrics) {
        reloads = metrics.counter("hearth_bundle_reloads_total", "Times that files were read again.", labels: "outcome")
        swaps = metrics.counter(
            "hearth_bundle_swaps_total",
            "Bundles put in force, by what asked for it.",
            labels: "by"
        )
        trialTurns = metrics.counter("hearth_trial_turns_total", "Turns that count in a trial.", labels: "arm")
        trialEvidence = metrics.gauge(
            "hearth_trial_evidence",
            "The wealth of the bet against the candidate; 20 ends it."
        )
        lostOutcomes = metrics.counter(
            "hearth_trial_outcomes_lost_total",
            "Turns of a trial that were not written down."
        )
        shadows = metrics.counter("hearth_shadow_answers_total", "Answers of a shadow's candidate.", labels: "outcome")
    }
}
