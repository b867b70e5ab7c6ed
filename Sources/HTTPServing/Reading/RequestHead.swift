import Runtime

/// The head of a request: what it asks for, and what it says about the rest of the message.
struct RequestHead: Sendable {
    /// How the end of the body is found.
    enum Framing: Sendable, Equatable {
        /// After this many bytes; 0 where no body is announced.
        case length(Int)
        /// After the last chunk and its trailers.
        case chunked
    }

    /// The method.
    let method: HTTPMethod
    /// The target.
    let target: RequestTarget
    /// The minor version of HTTP: 1 or 0.
    let minorVersion: Int
    /// The header fields, in order.
    let headers: HeaderFields
    /// How the end of the body is found.
    let framing: Framing
    /// Whether the connection ends with the answer: the client says so, or speaks HTTP/1.0.
    let closes: Bool
    /// Whether the client waits for `100 Continue` before it sends the body.
    let expectsContinue: Bool
}
