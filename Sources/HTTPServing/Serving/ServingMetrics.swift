import Runtime

/// The server's metrics.
struct ServingMetrics: Sendable {
    /// The number of open connections.
    let connections: Gauge
    /// The number of requests with a running handler.
    let requestsInFlight: Gauge
    /// The responses that the server gave instead of a handler, by the failure's name.
    let failures: Counter
    /// The requests whose client disconnected or stopped reading before the response was complete.
    let abandoned: Counter
    /// The failures to accept a connection for lack of descriptors or memory.
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
