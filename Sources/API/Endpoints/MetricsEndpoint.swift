import HTTPServing
import Runtime

/// `GET /metrics`: the service's metrics in Prometheus' text format.
struct MetricsEndpoint: Sendable {
    let metrics: Metrics

    var operation: Operation {
        Operation(
            "readMetrics",
            "Read the figures for Prometheus",
            dialect: .operations,
            successes: [Operation.Success(mediaType: "text/plain", .string(), note: "Prometheus text format 0.0.4.")],
            access: .open { _ in answer() }
        )
    }

    private func answer() -> Outcome {
        let headers = HeaderFields(["Content-Type": "text/plain; version=0.0.4; charset=utf-8"])
        return Outcome(HTTPResponse(status: 200, headers: headers, body: .bytes(Array(metrics.exposition.utf8))))
    }
}
