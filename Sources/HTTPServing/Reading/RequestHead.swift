/// What the head of a request says about the message that it begins.
struct RequestHead: Sendable {
    /// How the end of the body is found.
    enum Framing: Sendable, Equatable {
        case none
        case length(Int)
        case chunked
    }

    /// The method.
    let method: HTTPMethod
    /// The target.
    let target: RequestTarget
    /// The minor version of HTTP: 1 or 0.
    let minorVersion: Int
    /// How the end of the body is found.
    let framing: Framing
    /// Whether the connection ends with the answer: the client says so, or speaks HTTP/1.0.
    let closes: Bool
    /// Whether the client waits for `100 Continue` before it sends the body.
    let expectsContinue: Bool
}
