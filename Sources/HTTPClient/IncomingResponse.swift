package import Runtime

/// The head of an answer, as far as it is known when the first byte of the body may come.
package struct ResponseHead: Sendable {
    /// The status code.
    package let status: Int
    /// The header fields, in order.
    package let headers: HeaderFields
    /// "1.0", "1.1", "2" or "3".
    package let version: String
    /// When each step was reached.
    package let timings: TransferTimings

    /// Makes a head.
    package init(status: Int, headers: HeaderFields, version: String, timings: TransferTimings) {
        self.status = status
        self.headers = headers
        self.version = version
        self.timings = timings
    }

    /// The body's length as the peer announced it; nil when it did not, or not as a number.
    package var contentLength: Int? { headers["content-length"].flatMap { Int($0) } }
}

/// An answer whose head has arrived and whose body is still to be read.
///
/// Releasing it, and its body, closes the transfer.
package struct IncomingResponse: Sendable {
    /// The head.
    package let head: ResponseHead
    /// The body, to be read once.
    package let body: ResponseBody

    /// Makes an answer.
    package init(head: ResponseHead, body: ResponseBody) {
        self.head = head
        self.body = body
    }

    /// The status code.
    package var status: Int { head.status }
    /// The header fields, in order.
    package var headers: HeaderFields { head.headers }

    /// Reads the whole body.
    ///
    /// - Parameter limit: The most bytes to take; a longer body is refused and its transfer closed.
    /// - Throws: ``TransferError/bodyTooLarge(limit:)``, or why the rest did not come.
    package func collect(upTo limit: Int) async throws(TransferError) -> [UInt8] {
        if let announced = head.contentLength, announced > limit {
            body.stop()
            throw .bodyTooLarge(limit: limit)
        }
        return try await body.collect(upTo: limit)
    }
}
