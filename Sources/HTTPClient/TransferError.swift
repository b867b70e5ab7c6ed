/// Why a request got no whole answer: facts, never with a header's value or a body.
package enum TransferError: Error, Equatable {
    /// What a transfer was doing when its time was up.
    package enum Phase: String, Sendable {
        /// Looking up the host's address.
        case resolving
        /// Making the connection.
        case connecting
        /// Agreeing on keys.
        case securing
        /// Waiting for the first byte of the answer.
        case waiting
        /// Reading the answer.
        case reading
    }

    /// The URL or a header field is not valid; nothing was sent.
    case invalidRequest(reason: String)
    /// As many transfers as the client allows are in flight; nothing was sent.
    case tooManyTransfers(limit: Int)
    /// The client has been drained; nothing was sent.
    case stopped
    /// The caller was cancelled or stopped the transfer.
    case cancelled
    /// The deadline, or the limit on making a connection, passed.
    case timedOut(after: Duration, during: Phase)
    /// The host's name has no address.
    case unresolvedHost
    /// The proxy's name has no address.
    case unresolvedProxy
    /// The proxy would not connect to the host; the status is the proxy's.
    case refusedByProxy(status: Int)
    /// Nothing listens at the address.
    case refused
    /// The address cannot be reached; the number is the system's `errno`.
    case unreachable(code: Int)
    /// The peer's certificate is not one that we trust for that host.
    case untrusted(reason: String)
    /// No secure connection could be agreed on.
    case insecure(reason: String)
    /// The connection was lost after that many bytes of the answer's body.
    case connectionLost(bytes: Int)
    /// What the peer sent is not HTTP.
    case malformed(reason: String)
    /// The answer's head is longer than the limit, in bytes.
    case headTooLarge(limit: Int)
    /// The answer's body is longer than the limit, in bytes.
    case bodyTooLarge(limit: Int)
    /// Any other failure, with curl's own code and words.
    case failed(code: Int, reason: String)

    /// A clause for the person at the terminal, without curl's words.
    package var sentence: String {
        switch self {
        case .invalidRequest, .malformed, .headTooLarge, .bodyTooLarge:
            "what was sent or answered is not valid HTTP here"
        case .tooManyTransfers(let limit): "\(limit) requests are on their way already"
        case .stopped, .cancelled: "it was stopped"
        case .timedOut: "it took too long"
        case .unresolvedHost, .unresolvedProxy: "its name has no address"
        case .refusedByProxy(let status): "the proxy answered \(status)"
        case .refused: "nothing listens there"
        case .unreachable: "there is no way to its address"
        case .untrusted, .insecure: "no secure connection could be made"
        case .connectionLost: "the connection was lost"
        case .failed(let code, _): "curl failed with \(code)"
        }
    }

    /// Whether the peer may have received and acted on the request.
    package var mayHaveArrived: Bool {
        switch self {
        case .invalidRequest, .tooManyTransfers, .stopped, .unresolvedHost, .unresolvedProxy,
            .refusedByProxy, .refused, .unreachable, .untrusted, .insecure:
            false
        case .timedOut(_, let phase): phase == .waiting || phase == .reading
        case .cancelled, .connectionLost, .malformed, .headTooLarge, .bodyTooLarge, .failed: true
        }
    }
}
