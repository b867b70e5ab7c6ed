import Runtime

/// What the server counts.
struct ServingMetrics: Sendable {
    /// Connections that are open.
    let connections: Gauge
    /// Requests whose handler runs.
    let requestsInFlight: Gauge
    /// Answers that the server itself gave instead of a handler, by the failure's name.
    let failures: Counter
    /// Requests whose client went, or did not read, before its answer was whole.
    let abandoned: Counter
    /// Times that no connection could be accepted for want of descriptors or memory.
    let acceptFailures: Counter

    init(_ metrics: Metrics) {
        connections = metrics.gauge("hearth_http_connections", "Open client connections.")
        requestsInFlight = metrics.gauge("hearth_http_requests_in_flight", "Requests whose handler runs.")
        failures = metrics.counter(
            "hearth_http_failures_total",
            "Requests that the server refused itself.",
            labels: "reason"
        )
        abandoned = metrics.counter(
            "hearth_http_abandoned_total",
            "Requests whose client went before its answer was whole."
        )
        acceptFailures = metrics.counter(
            "hearth_http_accept_failures_total",
            "Times that the system could not give a connection."
        )
    }
}
