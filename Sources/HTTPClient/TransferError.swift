/// Reasons why a request has no complete response; they never contain header values or bodies.
package enum TransferError: Error, Equatable {
    /// The step during which the deadline passed.
    package enum Phase: String, Sendable {
        /// Looking up the host's address.
        case resolving
        /// Making the connection.
        case connecting
        /// Performing the TLS handshake.
        case securing
        /// Waiting for the first byte of the response.
        case waiting
        /// Reading the response.
        case reading
    }

    /// The URL or a header field is invalid; nothing was sent.
    case invalidRequest(reason: String)
    /// The maximum number of transfers is in flight; nothing was sent.
    case tooManyTransfers(limit: Int)
    /// The client was drained; nothing was sent.
    case stopped
    /// The caller was cancelled or stopped the transfer.
    case cancelled
    /// The deadline or the connection time limit passed.
    case timedOut(after: Duration, during: Phase)
    /// The host's name has no address.
    case unresolvedHost
    /// The proxy's name has no address.
    case unresolvedProxy
    /// The proxy refused to connect to the host; the status is the proxy's.
    case refusedByProxy(status: Int)
    /// The host has only addresses that the client may not connect to; nothing was sent.
    case forbiddenAddress
    /// No server listens at the address.
    case refused
    /// The address is unreachable; the number is the system's `errno`.
    case unreachable(code: Int)
    /// The peer's certificate is not trusted for that host.
    case untrusted(reason: String)
    /// No TLS connection could be negotiated.
    case insecure(reason: String)
    /// The connection was lost after this number of body bytes.
    case connectionLost(bytes: Int)
    /// The peer's response is not HTTP.
    case malformed(reason: String)
    /// The response head is longer than the limit in bytes.
    case headTooLarge(limit: Int)
    /// The response body is longer than the limit in bytes.
    case bodyTooLarge(limit: Int)
    /// Any other failure, with curl's code and message.
    case failed(code: Int, reason: String)

    /// A clause for the operator, without curl's message.
    package var sentence: String {
        switch self {
        case .invalidRequest, .malformed, .headTooLarge, .bodyTooLarge:
            "what was sent or answered is not valid HTTP here"
        case .tooManyTransfers(let limit): "\(limit) requests are on their way already"
        case .stopped, .cancelled: "it was stopped"
        case .timedOut: "it took too long"
        case .unresolvedHost, .unresolvedProxy: "its name has no address"
        case .refusedByProxy(let status): "the proxy answered \(status)"
        case .forbiddenAddress: "its address is not a public one"
        case .refused: "nothing listens there"
        case .unreachable: "there is no way to its address"
        case .untrusted, .insecure: "no secure connection could be made"
        case .connectionLost: "the connection was lost"
        case .failed(let code, _): "curl failed with \(code)"
        }
    }

    /// True if the peer may have received and processed the request.
    package var mayHaveArrived: Bool {
        switch self {
        case .invalidRequest, .tooManyTransfers, .stopped, .unresolvedHost, .unresolvedProxy,
            .refusedByProxy, .forbiddenAddress, .refused, .unreachable, .untrusted, .insecure:
            false
        case .timedOut(_, let phase): phase == .waiting || phase == .reading
        case .cancelled, .connectionLost, .malformed, .headTooLarge, .bodyTooLarge, .failed: true
        }
    }
}
