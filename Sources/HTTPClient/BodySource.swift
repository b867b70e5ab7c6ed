/// Where a body's bytes come from: a transfer, or what was recorded of one.
package protocol BodySource: Sendable {
    /// Everything that has arrived since the last call, never empty; nil at the end.
    ///
    /// - Throws: Why the rest did not come; what came before it has been delivered by then.
    func next() async throws(TransferError) -> [UInt8]?

    /// Drops what still comes, of which little is expected.
    func dropRest()

    /// Closes the source; may be called more than once.
    func stop()
}
