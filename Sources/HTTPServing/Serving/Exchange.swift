import Runtime

/// A request under way: what its answer depends on, and what is known of the answer so far.
struct Exchange {
    /// The method; nil when the request could not be read that far.
    let method: HTTPMethod?
    /// The minor version of HTTP.
    let minorVersion: Int
    /// When the request's first byte arrived.
    let received: Instant
    /// Whether the connection ends with the answer.
    var closes: Bool
    /// Whether more of a refused request may still arrive, so that the connection must not be closed abruptly.
    var lingers = false
    /// The pattern of the route that answers.
    var pattern = ""
    /// The status of the answer.
    var status = 0
    /// How many bytes of body were answered.
    var bytes = 0
    /// The task that runs the handler.
    var task: Task<Void, Never>?

    /// The exchange as the server's observer is told of it, once its answer has been sent.
    var answered: AnsweredRequest {
        AnsweredRequest(
            pattern: pattern,
            method: method,
            status: status,
            duration: Instant.now.since(received),
            bytes: bytes
        )
    }
}
