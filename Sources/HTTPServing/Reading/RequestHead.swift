/// The parsed head of a request.
struct RequestHead: Sendable {
    /// The rule for finding the end of the body.
    enum Framing: Sendable, Equatable {
        case none
        case length(Int)
        case chunked
    }

    let method: HTTPMethod
    let target: RequestTarget
    /// The minor version of HTTP: 1 or 0.
    let minorVersion: Int
    /// The rule for finding the end of the body.
    let framing: Framing
    /// True if the connection ends with the response, as the client asks or HTTP/1.0 implies.
    let closes: Bool
    /// True if the client waits for `100 Continue` before it sends the body.
    let expectsContinue: Bool
}
