package import Runtime

/// Sends requests to other services: the client, or a recording that stands in for it.
package protocol HTTPSending: Sendable {
    /// Sends a request and returns when the head of the answer has arrived; any status is an answer.
    ///
    /// - Parameter deadline: When the whole answer, its body included, must have arrived.
    func send(_ request: OutgoingRequest, by deadline: Deadline) async throws(TransferError) -> IncomingResponse
}
