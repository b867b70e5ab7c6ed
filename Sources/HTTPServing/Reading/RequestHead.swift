import Runtime

/// The head of a request: what it asks for, and what it says about the rest of the message.
struct RequestHead: Sendable {
    /// The rule for finding the end of the body.
    enum Framing: Sendable, Equatable {
        /// After this many bytes; 0 where no body is announced.
        case length(Int)
        /// After the last chunk and its trailers.
        case chunked
    }

    let method: HTTPMethod
    let target: RequestTarget
    /// The minor version of HTTP: 1 or 0.
    let minorVersion: Int
    /// The header fields, in order.
    let headers: HeaderFields
    /// How the end of the body is found.
    let framing: Framing
    /// True if the connection ends with the response, as the client asks or HTTP/1.0 implies.
    let closes: Bool
    /// True if the client waits for `100 Continue` before it sends the body.
    let expectsContinue: Bool
}
