package import Runtime

/// A request to another service.
package struct OutgoingRequest: Sendable {
    /// What is asked of the resource.
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"

        /// Whether asking twice does no more than asking once (RFC 9110, section 9.2.2).
        package var isIdempotent: Bool { self != .post && self != .patch }
    }

    /// The method.
    package var method: Method
    /// The absolute URL, `http` or `https`.
    package var url: String
    /// The header fields; `Host`, `Content-Length` and `User-Agent` are written by the client unless given.
    package var headers: HeaderFields
    /// The body; empty when there is none.
    package var body: [UInt8]
    /// Whether the client may send it again when a reused connection was lost before any byte of an answer.
    ///
    /// A request of which nothing has been sent yet is always moved to another connection.
    package var isRepeatable: Bool
    /// Whether the answer may be compressed; it is decoded before it is delivered.
    package var acceptsCompression = false

    /// Whether it goes over TLS.
    package var isSecure: Bool { url.prefix(6).lowercased() == "https:" }

    /// Makes a request; it is repeatable when its method is idempotent, unless said otherwise.
    package init(
        _ method: Method,
        _ url: String,
        headers: HeaderFields = HeaderFields(),
        body: [UInt8] = [],
        isRepeatable: Bool? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.isRepeatable = isRepeatable ?? method.isIdempotent
    }
}
