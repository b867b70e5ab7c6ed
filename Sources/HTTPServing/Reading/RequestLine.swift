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
