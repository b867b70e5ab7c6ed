import Runtime

/// What every loop of a server shares: what to answer with, its bounds and its counts.
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

    /// The answer to a request that the server itself refuses, with the fields that such an answer must have.
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
