import Runtime

/// The parts that all loops of a server share: router, limits, counts and callbacks.
struct Serving: Sendable {
    let router: Router
    let limits: HTTPLimits
    let admission: Admission
    let metrics: ServingMetrics
    let errorResponse: @Sendable (HTTPFailure, FailedRequest) -> HTTPResponse
    let observer: @Sendable (AnsweredRequest) -> Void

    /// Finds the route of a request with this head.
    func match(_ head: RequestHead) -> Router.Match {
        router.match(head.method, head.target.path)
    }

    /// The response to a request that the server refuses, with its required fields.
    func response(to failure: HTTPFailure, _ request: FailedRequest) -> HTTPResponse {
        var response = errorResponse(failure, request)
        switch failure {
        case .methodNotAllowed(let allowed):
            response.headers["Allow"] = allowed.map(\.rawValue).joined(separator: ", ")
        case .tooManyRequests, .tooManyConnections:
            if response.headers["Retry-After"] == nil { response.headers["Retry-After"] = "1" }
        default: break
        }
        return response
    }
}
