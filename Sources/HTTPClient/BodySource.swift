/// The source of a body's bytes: a transfer or a recording.
package protocol BodySource: Sendable {
    /// Returns the bytes that arrived since the last call, never empty; nil at the end.
    ///
    /// - Throws: The reason why the rest is missing, after all earlier bytes were delivered.
    func next() async throws(TransferError) -> [UInt8]?

    /// Gives what arrives to a reader, piece by piece, and returns once the reader has enough.
    ///
    /// - Parameter reader: Takes bytes; true when it has enough.
    /// - Returns: Whether it has; false at the end.
    /// - Throws: Why the rest did not come; what came before it has been given by then.
    func pour(into reader: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) async throws(TransferError) -> Bool

    /// Drops what still comes, of which little is expected.
    func dropRest()

    /// Closes the source; may be called more than once.
    func stop()
}

extension BodySource {
    /// Reads with ``next()`` until the reader has enough.
    package func pour(
        into reader: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
    ) async throws(TransferError) -> Bool {
        while let bytes = try await next() {
            if bytes.withUnsafeBytes({ reader($0) }) { return true }
        }
        return false
    }
}
