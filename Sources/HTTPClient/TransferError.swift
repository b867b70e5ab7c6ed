import CCurl
import Foundation
import Runtime

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
    /// Nothing listens at the address.
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

extension TransferError {
    /// Translates curl's code for a failed transfer.
    init(_ code: CURLcode, _ easy: EasyHandle) {
        let bytes = easy.transfer?.received ?? 0
        switch code {
        case CURLE_OPERATION_TIMEDOUT: self = easy.timedOut
        case CURLE_COULDNT_RESOLVE_HOST: self = .unresolvedHost
        case CURLE_COULDNT_RESOLVE_PROXY: self = .unresolvedProxy
        case CURLE_COULDNT_CONNECT: self = Self.unreachable(easy.long(CURLINFO_OS_ERRNO))
        case CURLE_ABORTED_BY_CALLBACK: self = .cancelled
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_SEND_ERROR: self = .connectionLost(bytes: bytes)
        case CURLE_RECV_ERROR: self = Self.receiving(easy, bytes: bytes)
        case CURLE_URL_MALFORMAT: self = .invalidRequest(reason: "URL")
        case CURLE_PEER_FAILED_VERIFICATION: self = .untrusted(reason: easy.reason)
        case _ where Self.securing.contains(code.rawValue): self = .insecure(reason: easy.reason)
        case _ where Self.malformed.contains(code.rawValue): self = .malformed(reason: easy.reason)
        case CURLE_UNSUPPORTED_PROTOCOL: self = Self.unsupported(easy)
        // Curl reports a head line over its own limit as lack of memory.
        case CURLE_OUT_OF_MEMORY: self = .headTooLarge(limit: Int(CURL_MAX_HTTP_HEADER))
        default: self = .failed(code: Int(code.rawValue), reason: easy.reason)
        }
    }

    private static let securing: Set<UInt32> = Set(
        [
            CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
        ].map(\.rawValue)
    )

    private static let malformed: Set<UInt32> = Set(
        [
            CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_BAD_CONTENT_ENCODING,
        ].map(\.rawValue)
    )

    private static func unreachable(_ code: Int) -> TransferError {
        code == Int(ECONNREFUSED) ? .refused : .unreachable(code: code)
    }

    /// Tells apart three failures with the same curl code: refused tunnel, bad chunk, broken connection.
    ///
    /// The last two differ only in curl's message.
    private static func receiving(_ easy: EasyHandle, bytes: Int) -> TransferError {
        let tunnel = easy.long(CURLINFO_HTTP_CONNECTCODE)
        if tunnel >= 300 { return .refusedByProxy(status: tunnel) }
        return easy.reason.contains("chunk") ? .malformed(reason: easy.reason) : .connectionLost(bytes: bytes)
    }

    /// Tells apart an unknown URL scheme and a response that is not HTTP.
    private static func unsupported(_ easy: EasyHandle) -> TransferError {
        easy.long(CURLINFO_REQUEST_SIZE) > 0 ? .malformed(reason: easy.reason) : .invalidRequest(reason: "scheme")
    }
}
