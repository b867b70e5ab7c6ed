/// The bytes of an answer, delivered as they arrive, to one reader.
///
/// A bounded number of bytes waits for the reader; beyond it the peer is held back. Stopping or releasing the body
/// closes the transfer at once: its connection or, where other streams of HTTP/2 share that, its stream.
package final class ResponseBody: AsyncSequence, Sendable {
    package typealias Element = [UInt8]
    package typealias Failure = TransferError

    /// Reads piece by piece; a view of the one body, so that two of them share its bytes.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let body: ResponseBody

        package mutating func next() async throws(TransferError) -> [UInt8]? {
            try await body.next()
        }

        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransferError) -> [UInt8]? {
            try await body.next()
        }
    }

    private let source: any BodySource

    /// Makes a body of what a source delivers.
    package init(_ source: any BodySource) {
        self.source = source
    }

    package func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    /// Everything that has arrived since the last call, never empty; nil at the end.
    ///
    /// - Throws: Why the rest did not come; what came before it has been delivered by then.
    package func next() async throws(TransferError) -> [UInt8]? {
        try await source.next()
    }

    /// Gives what arrives to a reader where it arrives, on the loop, and returns once the reader has enough.
    ///
    /// For a stream of many small pieces of which only some matter: no task is woken for the others.
    ///
    /// - Parameter reader: Takes bytes, quickly; true when it has enough.
    /// - Returns: Whether it has; false at the end.
    /// - Throws: Why the rest did not come; what came before it has been given by then.
    package func pour(
        into reader: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
    ) async throws(TransferError) -> Bool {
        try await source.pour(into: reader)
    }

    /// Reads what is left.
    ///
    /// - Parameter limit: The most bytes to take; a longer body is refused and its transfer closed.
    package func collect(upTo limit: Int) async throws(TransferError) -> [UInt8] {
        var whole: [UInt8] = []
        while let bytes = try await next() {
            guard whole.count + bytes.count <= limit else {
                stop()
                throw .bodyTooLarge(limit: limit)
            }
            if whole.isEmpty { whole = bytes } else { whole += bytes }
        }
        return whole
    }

    /// Reads no more, and keeps the connection if the rest, of which little is expected, comes soon.
    ///
    /// For a reader who knows from what it has read that nothing of interest follows. What comes is dropped; the transfer
    /// is closed after 64 KiB or half a second.
    package func dropRest() {
        source.dropRest()
    }

    /// Closes the transfer.
    ///
    /// What has not been read is lost. May be called more than once.
    package func stop() { source.stop() }

    deinit { source.stop() }
}
