/// The source of a body's bytes: a transfer or a recording.
package protocol BodySource: Sendable {
    /// Returns the bytes that arrived since the last call, never empty; nil at the end.
    ///
    /// - Throws: The reason why the rest is missing, after all earlier bytes were delivered.
    func next() async throws(TransferError) -> [UInt8]?

    /// Drops the remaining bytes; the caller expects only a few.
    func dropRest()

    /// Closes the source; may be called more than once.
    func stop()
}
