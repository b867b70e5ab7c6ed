import Conversation
import HTTPServing
import Runtime

/// What is known of every request, answered or refused: its names, its dialect and its ledger.
struct Visit {
    /// The path of the route, or a word of ours when none has it: what a label can hold without growing for ever.
    let route: String
    let dialect: Dialect
    let method: String
    let id: String
    let trace: TraceContext
    let ledger: Trace
    /// When its first byte arrived.
    let received: Instant
    /// When it was whole.
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

    /// Adds the header fields that every answer has.
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

    /// What the log says of the request besides what its operation adds.
    func fields(_ status: Int, _ duration: Duration) -> [LogField] {
        [
            "route" ~ route, "method" ~ method, "status" ~ status, "milliseconds" ~ duration.milliseconds,
            "request_id" ~ id, "trace_id" ~ trace.traceID,
        ] + (tenant.map { ["tenant" ~ $0.description] } ?? [])
    }

    /// The caller's name for the request when it is safe to log and return; a new one otherwise.
    private static func id(_ headers: HeaderFields) -> String {
        let given = headers["X-Request-Id"].flatMap { TextRule.visibleASCII(1...128).holds($0) ? $0 : nil }
        return given ?? ID<Visit>().description
    }
}
