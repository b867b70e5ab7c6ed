package import Runtime

/// Sends requests to other services; implemented by the client and by recordings.
package protocol HTTPSending: Sendable {
    /// Sends a request and returns when the response head has arrived, whatever its status.
    ///
    /// - Parameter deadline: The time by which the whole response, including the body, must have arrived.
    func send(_ request: OutgoingRequest, by deadline: Deadline) async throws(TransferError) -> IncomingResponse
}
