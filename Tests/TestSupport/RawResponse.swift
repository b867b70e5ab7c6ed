import Foundation

/// An HTTP response as a raw client reads it.
package struct RawResponse: Sendable {
    /// The version, as in `HTTP/1.1`.
    package let version: String
    /// The status code.
    package let status: Int
    /// The header fields, in order, with names in lower case.
    package let headers: [(name: String, value: String)]
    /// The body, out of its chunks.
    package let body: String

    /// The first value of a header, whose name is in lower case.
    package subscript(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// Reads a response from the front of bytes; nil when it is not whole.
    ///
    /// - Parameter isWhole: True if no more bytes will come, so that a body without a length ends here.
    /// - Returns: The response and where it ends.
    static func parse(_ bytes: [UInt8], toHead: Bool, isWhole: Bool) throws -> (RawResponse, Int)? {
        guard let headEnd = bytes.firstRange(of: [13, 10, 13, 10])?.upperBound else { return nil }
        let lines = String(decoding: bytes[..<(headEnd - 4)], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw RawConnectionError.notHTTP(lines[0])
        }
        let headers = try lines.dropFirst().map(field)
        func response(_ body: some Collection<UInt8>) -> RawResponse {
            RawResponse(
                version: String(words[0]),
                status: status,
                headers: headers,
                body: String(decoding: body, as: UTF8.self)
            )
        }
        if toHead || status < 200 || status == 204 || status == 304 { return (response([]), headEnd) }
        if let text = headers.first(where: { $0.name == "content-length" })?.value {
            guard let length = Int(text) else { throw RawConnectionError.notHTTP(text) }
            let end = headEnd + length
            return bytes.count >= end ? (response(bytes[headEnd..<end]), end) : nil
        }
        if headers.contains(where: { $0.name == "transfer-encoding" && $0.value == "chunked" }) {
            return try chunks(bytes[headEnd...]).map { (response($0.data), $0.end) }
        }
        return isWhole ? (response(bytes[headEnd...]), bytes.count) : nil
    }

    private static func field(_ line: String) throws -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: ":") else { throw RawConnectionError.notHTTP(line) }
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        return (line[..<colon].lowercased(), String(value))
    }

    private static func chunks(_ bytes: ArraySlice<UInt8>) throws -> (data: [UInt8], end: Int)? {
        var data: [UInt8] = []
        var rest = bytes
        while let lineEnd = rest.firstRange(of: [13, 10]) {
            let digits = String(decoding: rest[..<lineEnd.lowerBound], as: UTF8.self)
            guard let size = Int(digits, radix: 16) else { throw RawConnectionError.notHTTP(digits) }
            rest = rest[lineEnd.upperBound...]
            guard rest.count >= size + 2 else { return nil }
            data += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
            if size == 0 { return (data, rest.startIndex) }
        }
        return nil
    }
}
