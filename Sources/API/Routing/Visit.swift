import Conversation
import HTTPServing
import Runtime

/// The context of every request, answered or rejected: its identity, dialect and trace.
struct Visit {
    /// Path of the route, or a fixed word without one, so that metric labels stay bounded.
    let route: String
    let dialect: Dialect
    let method: String
    let id: String
    let trace: TraceContext
    let ledger: Trace
    /// Instant of the first byte's arrival.
    let received: Instant
    /// Instant at which the whole request had arrived.
    let arrived: Instant
    var tenant: TenantID?

    init(_ request: HTTPRequest, route: String, dialect: Dialect, time: any TimeSource) {
        self.route = route
        self.dialect = dialect
        method = request.method.rawValue
        id = Self.id(request.headers)
        trace = TraceContext(joining: request.headers["traceparent"])
        ledger = Trace(from: request.received, time: time)
        ledger.record("receive", from: ledger.start)
        received = request.received
        arrived = time.now
    }

    init(_ request: FailedRequest, time: any TimeSource) {
        route = "none"
        dialect = Dialect(path: request.path)
        method = HTTPMethod(rawValue: request.method)?.rawValue ?? "other"
        id = Self.id(request.headers)
        trace = TraceContext(joining: request.headers["traceparent"])
        ledger = Trace(from: request.received, time: time)
        received = request.received
        arrived = time.now
    }

    /// Adds the header fields that every response has.
    func mark(_ response: inout HTTPResponse) {
        let fields: KeyValuePairs = [
            "X-Request-Id": id,
            "traceparent": trace.traceparent,
            "Server-Timing": ledger.serverTiming,
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
            "Referrer-Policy": "no-referrer",
        ]
        for (name, value) in fields { response.headers[name] = value }
    }

    /// Returns the log fields that every request has.
    func fields(_ status: Int, _ duration: Duration) -> [LogField] {
        [
            "route" ~ route, "method" ~ method, "status" ~ status, "milliseconds" ~ duration.milliseconds,
            "request_id" ~ id, "trace_id" ~ trace.traceID,
        ] + (tenant.map { ["tenant" ~ $0.description] } ?? [])
    }

    /// Returns the caller's request identity when it is safe to log and return; otherwise a new one.
    private static func id(_ headers: HeaderFields) -> String {
        let given = headers["X-Request-Id"].flatMap { TextRule.visibleASCII(1...128).holds($0) ? $0 : nil }
        return given ?? ID<Visit>().description
    }
}
