package import Runtime

/// What a handler answers.
package struct HTTPResponse: Sendable {
    /// What is sent after the header.
    package enum Body: Sendable {
        /// All of it, with a `Content-Length`.
        case bytes([UInt8])
        /// Written while it is made, chunked; the closure returns when the body is whole, and is cancelled when the client goes.
        case stream(@Sendable (any BodyWriter) async throws -> Void)
    }

    /// The status code, 200 to 599.
    package var status: Int
    /// The header fields; `Content-Length`, `Transfer-Encoding`, `Connection` and `Date` are the server's own to write.
    package var headers: HeaderFields
    /// The body.
    package var body: Body

    /// Makes a response.
    package init(status: Int, headers: HeaderFields = HeaderFields(), body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Where a streamed body goes.
package protocol BodyWriter: Sendable {
    /// Sends a chunk at once and returns when the connection can take another.
    ///
    /// - Throws: ``HTTPServingError/peerGone`` when the client has gone or reads too slowly.
    func write(_ chunk: [UInt8]) async throws(HTTPServingError)
}
