package import Runtime

/// Reasons why the server refuses a request itself.
package enum HTTPFailure: Error, Equatable, Sendable {
    /// The first line is not `METHOD target HTTP/1.x`.
    case badRequestLine
    /// The target is not a path, or has a bad escape, a NUL or invalid UTF-8.
    case badTarget
    /// A field line has an invalid byte, a space before its colon, or is folded.
    case badField
    /// An HTTP/1.1 request does not have exactly one well-formed `Host`.
    case badHost
    /// The body's length is not a plain number, is repeated, or stands beside a transfer coding.
    case badLength
    /// A chunk's size, its end or a trailer is malformed.
    case badChunk
    /// No route has this path.
    case notFound
    /// The path has routes only for these methods.
    case methodNotAllowed(allowed: [HTTPMethod])
    /// The head or the body was not complete within this time.
    case tooSlow(limit: Duration)
    /// The body is larger, or announced as larger, than this number of bytes.
    case bodyTooLarge(limit: Int)
    /// The request line is longer than this number of bytes.
    case requestLineTooLong(limit: Int)
    /// The head has more bytes or more fields than this limit.
    case headTooLarge(limit: Int)
    /// `Expect` has a value other than `100-continue`.
    case unknownExpectation
    /// The service supports no such method.
    case unknownMethod
    /// A transfer coding other than `chunked`.
    case unknownTransferCoding
    /// A version of HTTP other than 1.0 and 1.1.
    case unknownVersion
    /// The process already has this many connections.
    case tooManyConnections(limit: Int)
    /// The process already handles this many requests.
    case tooManyRequests(limit: Int)

    /// The HTTP status code of the failure.
    package var status: Int {
        switch self {
        case .badRequestLine, .badTarget, .badField, .badHost, .badLength, .badChunk: 400
        case .notFound: 404
        case .methodNotAllowed: 405
        case .tooSlow: 408
        case .bodyTooLarge: 413
        case .requestLineTooLong: 414
        case .unknownExpectation: 417
        case .headTooLarge: 431
        case .unknownMethod, .unknownTransferCoding: 501
        case .tooManyConnections, .tooManyRequests: 503
        case .unknownVersion: 505
        }
    }

    /// The failure's stable name in `snake_case`, for metrics and error codes.
    package var name: String {
        switch self {
        case .badRequestLine: "bad_request_line"
        case .badTarget: "bad_target"
        case .badField: "bad_field"
        case .badHost: "bad_host"
        case .badLength: "bad_length"
        case .badChunk: "bad_chunk"
        case .notFound: "not_found"
        case .methodNotAllowed: "method_not_allowed"
        case .tooSlow: "too_slow"
        case .bodyTooLarge: "body_too_large"
        case .requestLineTooLong: "request_line_too_long"
        case .headTooLarge: "head_too_large"
        case .unknownExpectation: "unknown_expectation"
        case .unknownMethod: "unknown_method"
        case .unknownTransferCoding: "unknown_transfer_coding"
        case .unknownVersion: "unknown_version"
        case .tooManyConnections: "too_many_connections"
        case .tooManyRequests: "too_many_requests"
        }
    }
}

/// The readable parts of a request that the server refused.
package struct RejectedRequest: Sendable {
    /// The method's token as sent; empty when unreadable.
    package var method: String
    /// The path, percent-decoded when the request was well-formed, else as sent; empty when unreadable.
    package var path: String
    /// The readable header fields.
    package var headers: HeaderFields
    /// The address of the peer, without its port.
    package var peer: String
    /// The time at which the request's first byte arrived.
    package var received: Instant

    package init(
        method: String = "",
        path: String = "",
        headers: HeaderFields = HeaderFields(),
        peer: String,
        received: Instant
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.peer = peer
        self.received = received
    }
}

extension RejectedRequest {
    /// Reads the usable parts of a head that was refused or incomplete.
    init(salvaging head: ArraySlice<UInt8>, peer: String, received: Instant) {
        self.init(peer: peer, received: received)
        let lines = head.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "\n") }
            .prefix { !$0.isEmpty && $0.first != UInt8(ascii: "\r") }
        guard let first = lines.first else { return }
        let words = first.split(separator: UInt8(ascii: " ")).map(Self.printable)
        method = words.first ?? ""
        path = words.dropFirst().first.map { String($0.prefix { $0 != "?" }) } ?? ""
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = line[line.index(after: colon)...]
            headers.add(Self.printable(line[..<colon]), Self.printable(value))
        }
    }

    /// Replaces every byte that is not printable ASCII, so that the text can be echoed and logged.
    private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
        let text = bytes.filter { $0 != .carriageReturn }[...].trimmingBlanks
        return String(decoding: text.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
