import Conversation
package import Runtime

/// Metrics of the pools; created once for each registry.
package struct PostgresMetrics: Sendable {
    let connections: Gauge
    let connects: Counter
    let batches: Counter
    let seconds: Histogram
    let waiting: Gauge
    let cancels: Counter

    package init(in metrics: Metrics) {
        connections = metrics.gauge("hearth_postgres_connections", "Connections that are ready.", labels: "pool")
        connects = metrics.counter("hearth_postgres_connects_total", "Connections tried.", labels: "pool", "outcome")
        batches = metrics.counter("hearth_postgres_batches_total", "Batches by outcome.", labels: "pool", "outcome")
        seconds = metrics.histogram("hearth_postgres_batch_seconds", "From asking to the answer.", labels: "pool")
        waiting = metrics.gauge("hearth_postgres_waiting", "Batches that wait for a connection.", labels: "pool")
        cancels = metrics.counter("hearth_postgres_cancels_total", "Cancel requests sent.", labels: "pool")
    }

    /// Counts an answer.
    func count(_ answer: Ticket.Answer, of ticket: Ticket, in pool: String) {
        batches.add(1, pool, Self.outcome(of: answer))
        seconds.record(Instant.now.since(ticket.submitted), pool)
    }

    private static func outcome(of answer: Ticket.Answer) -> String {
        switch answer {
        case .success: "ok"
        case .failure(.unavailable): "unavailable"
        case .failure(.overloaded): "overloaded"
        case .failure(.timedOut): "timed_out"
        case .failure(.cancelled): "cancelled"
        case .failure: "refused"
        }
    }
}
