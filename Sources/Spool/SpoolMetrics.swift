package import Runtime

/// Metrics of the spool.
package struct SpoolMetrics: Sendable {
    let waiting: Gauge
    let kept: Counter
    let drained: Counter
    let refused: Counter

    package init(_ metrics: Metrics) {
        waiting = metrics.gauge("hearth_spool_waiting", "Writes in the spool that wait for the system of record.")
        kept = metrics.counter("hearth_spool_kept_total", "Writes that were kept in the spool.")
        drained = metrics.counter(
            "hearth_spool_drained_total",
            "Writes that went from the spool to the system of record."
        )
        refused = metrics.counter(
            "hearth_spool_refused_total",
            "Writes in the spool that the system of record refused."
        )
    }
}
