package import Runtime

/// A request to another service.
package struct OutgoingRequest: Sendable {
    /// The request method.
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"

        /// True if repeating the request has the same effect as sending it once (RFC 9110, section 9.2.2).
        package var isIdempotent: Bool { self != .post && self != .patch }
    }

    package var method: Method
    /// The absolute URL with scheme `http` or `https`.
    package var url: String
    /// The header fields; the client adds `Host`, `Content-Length` and `User-Agent` unless given.
    package var headers: HeaderFields
    /// The body; empty when there is none.
    package var body: [UInt8]
    /// True if the client may resend the request when a reused connection is lost before any response byte.
    ///
    /// A request of which nothing was sent always moves to another connection.
    package var isRepeatable: Bool
    /// True if the response may be compressed; the client decodes it.
    package var acceptsCompression = false

    /// True if the request uses TLS.
    package var isSecure: Bool { url.prefix(6).lowercased() == "https:" }

    /// Makes a request; by default it is repeatable when its method is idempotent.
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
