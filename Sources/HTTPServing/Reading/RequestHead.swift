import Runtime

/// The head of a request: its target, its fields, and the framing of its body.
struct RequestHead: Sendable {
    /// The rule for finding the end of the body.
    enum Framing: Sendable, Equatable {
        /// After this many bytes; 0 where no body is announced.
        case length(Int)
        /// After the last chunk and its trailers.
        case chunked
    }

    let method: HTTPMethod
    let target: RequestTarget
    /// The minor version of HTTP: 1 or 0.
    let minorVersion: Int
    /// The header fields, in order.
    let headers: HeaderFields
    /// The rule for finding the end of the body.
    let framing: Framing
    /// True if the connection ends with the response, as the client asks or HTTP/1.0 implies.
    let closes: Bool
    /// True if the client waits for `100 Continue` before it sends the body.
    let expectsContinue: Bool
}

/// The first line of a request.
struct RequestLine: Sendable {
    let method: HTTPMethod
    let target: RequestTarget
    /// The minor version of HTTP: 1 or 0.
    let minorVersion: Int

    /// Reads a line without its end: exactly three words separated by one space (RFC 9112, section 3).
    init(_ line: ArraySlice<UInt8>) throws(HTTPFailure) {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(\.isTokenByte) else { throw .badRequestLine }
        minorVersion = try Self.minorVersion(words[2])
        guard let method = HTTPMethod(rawValue: String(decoding: words[0], as: UTF8.self)) else { throw .unknownMethod }
        self.method = method
        target = try RequestTarget(words[1])
    }

    private static func minorVersion(_ word: ArraySlice<UInt8>) throws(HTTPFailure) -> Int {
        let digits = [UInt8](word.suffix(3))
        guard word.count == 8, word.prefix(5).elementsEqual("HTTP/".utf8),
            digits[0].isDigit, digits[1] == UInt8(ascii: "."), digits[2].isDigit
        else { throw .badRequestLine }
        if digits.elementsEqual("1.1".utf8) { return 1 }
        if digits.elementsEqual("1.0".utf8) { return 0 }
        throw .unknownVersion
    }
}

/// The path and query of a request line.
struct RequestTarget: Sendable {
    /// The path, percent-decoded; "*" for the asterisk form.
    let path: String
    /// The query's pairs in order, percent-decoded; "+" is a space.
    let query: [(name: String, value: String)]

    /// Reads a target (RFC 9112, section 3.2): a path, `http://host/path`, or `*`.
    ///
    /// An escaped "/" in the path counts as "/". A path that begins with "//" is refused, because some readers take it
    /// for a host.
    init(_ bytes: ArraySlice<UInt8>) throws(HTTPFailure) {
        guard !bytes.isEmpty, bytes.allSatisfy(\.isTargetByte) else { throw .badTarget }
        let target = bytes.elementsEqual("*".utf8) ? bytes : try Self.originForm(of: bytes)
        let parts = target.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        path = try Self.decoded(parts[0], plusIsSpace: false)
        query = try parts.count == 2 ? Self.pairs(parts[1]) : []
    }

    private static func originForm(of bytes: ArraySlice<UInt8>) throws(HTTPFailure) -> ArraySlice<UInt8> {
        var path = bytes
        for scheme: StaticString in ["http://", "https://"]
        where bytes.prefix(scheme.utf8CodeUnitCount).isEqual(ignoringCaseOf: scheme) {
            let rest = bytes.dropFirst(scheme.utf8CodeUnitCount)
            guard let slash = rest.firstIndex(of: UInt8(ascii: "/")), slash > rest.startIndex else { throw .badTarget }
            path = rest[slash...]
        }
        guard path.first == UInt8(ascii: "/"), path.dropFirst().first != UInt8(ascii: "/") else { throw .badTarget }
        return path
    }

    private static func pairs(_ query: ArraySlice<UInt8>) throws(HTTPFailure) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let value = try parts.count == 2 ? decoded(parts[1], plusIsSpace: true) : ""
            pairs.append((try decoded(parts[0], plusIsSpace: true), value))
        }
        return pairs
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) throws(HTTPFailure) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst()?.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue else {
                    throw .badTarget
                }
                text.append(UInt8(high << 4 | low))
            case UInt8(ascii: "+") where plusIsSpace: text.append(UInt8(ascii: " "))
            default: text.append(byte)
            }
        }
        guard !text.contains(0), let string = String(validating: text, as: UTF8.self) else { throw .badTarget }
        return string
    }
}
