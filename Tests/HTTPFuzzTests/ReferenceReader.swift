import Foundation

/// Interpretation of a request, by the server or by the reference.
struct SeenRequest: Equatable, CustomStringConvertible {
    let method: String
    let path: String
    /// A checksum of the header fields in their order, with names in lower case.
    let fields: UInt64
    let body: [UInt8]

    var description: String {
        "\(method) \(path.debugDescription) fields \(fields) \(body.count) bytes \(Self.checksum(body))"
    }

    /// A number for bytes (FNV-1a).
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// The checksum of header fields, whose values are text.
    static func checksum(_ fields: [(name: String, value: String)]) -> UInt64 {
        checksum(fields.map { "\($0.name.lowercased()): \($0.value)\n" }.joined().utf8)
    }
}

/// Reads requests slowly and by the letter of RFC 9112, to hold the server against.
///
/// It sees all the bytes at once and shares no code with the server. It stops at the first request about which there
/// can be two opinions, or which is over the server's default limits.
struct ReferenceReader {
    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    private static let tokenBytes = Set(
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8
    )
    private static let hostBytes = Set(
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.:-_~%[]".utf8
    )

    /// The most bytes of chunk extensions and trailer fields that a body may have.
    private static let sideLimit = 4_096

    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The requests before the first doubtful one, or before one after which the connection closes.
    mutating func requests() -> [SeenRequest] {
        var requests: [SeenRequest] = []
        while let (request, closes) = next() {
            requests.append(request)
            if closes { break }
        }
        return requests
    }

    private mutating func next() -> (SeenRequest, closes: Bool)? {
        let start = place
        if bytes[place...].starts(with: [13, 10]) { place += 2 }
        guard let head = bytes[place...].firstRange(of: [13, 10, 13, 10]) else { return nil }
        let lines = Self.lines(bytes[place..<head.lowerBound])
        guard let lines, let first = lines.first, head.upperBound - start <= 16_384, first.count <= 8_192 else {
            return nil
        }
        let words = first.components(separatedBy: " ")
        guard words.count == 3, Self.methods.contains(words[0]), ["HTTP/1.0", "HTTP/1.1"].contains(words[2]),
            let path = Self.path(words[1]), lines.count <= 101, let fields = Self.fields(lines.dropFirst())
        else { return nil }
        place = head.upperBound
        guard let body = body(fields, isOld: words[2] == "HTTP/1.0", isHead: words[0] == "HEAD") else { return nil }
        let options = fields.filter { $0.name == "connection" }.flatMap { $0.value.components(separatedBy: ",") }
        let closes = options.contains { $0.trimmingCharacters(in: .whitespaces).lowercased() == "close" }
        let texts = fields.map { ($0.name, String(decoding: Self.bytes(of: $0.value), as: UTF8.self)) }
        let seen = SeenRequest(method: words[0], path: path, fields: SeenRequest.checksum(texts), body: body)
        return (seen, closes || words[2] == "HTTP/1.0")
    }

    /// Lines as Latin-1 text; nil when a control byte, or half of a line end, stands anywhere.
    private static func lines(_ head: ArraySlice<UInt8>) -> [String]? {
        var lines: [String] = [""]
        var previous: UInt8 = 0
        for byte in head {
            switch byte {
            case 13 where previous != 13: break
            case 10 where previous == 13: lines.append("")
            case 9, 32...126, 128...255:
                guard previous != 13 else { return nil }
                lines[lines.count - 1].unicodeScalars.append(Unicode.Scalar(byte))
            default: return nil
            }
            previous = byte
        }
        return previous == 13 ? nil : lines
    }

    /// The bytes that Latin-1 text was read from.
    private static func bytes(of text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    private static func path(_ target: String) -> String? {
        guard target.utf8.allSatisfy({ (33...126).contains($0) && $0 != UInt8(ascii: "#") }) else { return nil }
        if target == "*" { return "*" }
        var local = target
        if let scheme = target.range(of: "^https?://", options: [.regularExpression, .caseInsensitive]) {
            guard let slash = target[scheme.upperBound...].firstIndex(of: "/"), slash > scheme.upperBound else {
                return nil
            }
            local = String(target[slash...])
        }
        guard local.hasPrefix("/"), !local.hasPrefix("//") else { return nil }
        let parts = local.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let decoded = parts.map(\.removingPercentEncoding)
        guard decoded.allSatisfy({ $0 != nil && $0?.utf8.contains(0) == false }) else { return nil }
        return decoded[0]
    }

    private static func fields(_ lines: ArraySlice<String>) -> [(name: String, value: String)]? {
        var fields: [(name: String, value: String)] = []
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let name = line[..<colon]
            guard !name.isEmpty, name.utf8.allSatisfy(tokenBytes.contains) else { return nil }
            let value = line[line.index(after: colon)...]
            fields.append((name.lowercased(), value.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))))
        }
        return fields
    }

    private mutating func body(_ fields: [(name: String, value: String)], isOld: Bool, isHead: Bool) -> [UInt8]? {
        func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
        let (hosts, lengths, codings) = (values("host"), values("content-length"), values("transfer-encoding"))
        guard hosts.count == 1 || isOld && hosts.isEmpty,
            hosts.allSatisfy({ $0.utf8.allSatisfy(Self.hostBytes.contains) }),
            isOld || values("expect").allSatisfy({ $0.lowercased() == "100-continue" }),
            lengths.count + codings.count <= 1
        else { return nil }
        if let coding = codings.first {
            return coding.lowercased() == "chunked" && !isOld && !isHead ? chunks() : nil
        }
        guard let length = lengths.first else { return [] }
        guard (1...18).contains(length.utf8.count), length.utf8.allSatisfy({ (48...57).contains($0) }),
            let count = Int(length), count <= 65_536, count == 0 || !isHead, bytes.count - place >= count
        else { return nil }
        defer { place += count }
        return [UInt8](bytes[place..<(place + count)])
    }

    private mutating func chunks() -> [UInt8]? {
        var body: [UInt8] = []
        var side = 0
        while let line = line(), line.unicodeScalars.count <= Self.sideLimit {
            let size = line.prefix { $0 != ";" }
            side += line.unicodeScalars.count - size.unicodeScalars.count
            guard side <= Self.sideLimit else { return nil }
            guard (1...8).contains(size.utf8.count), size.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let count = Int(size, radix: 16), body.count + count <= 65_536
            else { return nil }
            guard count > 0 else { return trailers(after: side) ? body : nil }
            guard bytes.count - place >= count + 2 else { return nil }
            body += bytes[place..<(place + count)]
            place += count
            guard self.line() == "" else { return nil }
        }
        return nil
    }

    private mutating func trailers(after side: Int) -> Bool {
        var side = side
        while let line = line() {
            if line.isEmpty { return true }
            side += line.unicodeScalars.count
            guard side <= Self.sideLimit, Self.fields([line]) != nil else { return false }
        }
        return false
    }

    /// The next line, when it is whole and has no byte that does not belong in one.
    private mutating func line() -> String? {
        guard let end = bytes[place...].firstRange(of: [13, 10]) else { return nil }
        let lines = Self.lines(bytes[place..<end.lowerBound])
        place = end.upperBound
        return lines?.count == 1 ? lines?[0] : nil
    }
}
