/// Extracts the data of a chunked body (RFC 9112, section 7.1) as it arrives.
///
/// Chunk extensions and trailer fields are checked and dropped. Both count against their own limit, so a body of tiny
/// chunks cannot cause endless reading.
struct ChunkedBodyDecoder: Sendable {
    private enum Part: Sendable {
        case size
        case data(left: Int)
        case dataEnd
        case trailer
    }

    /// The maximum number of bytes of extensions and trailers in a body.
    static let maximumOverheadBytes = 4 << 10

    private var part = Part.size
    private var side = 0
    /// The data of the chunks so far.
    private(set) var data: [UInt8] = []

    /// Reads further bytes; returns the number used and true at the body's end.
    ///
    /// - Parameter limit: The maximum size of the data; more is ``HTTPFailure/bodyTooLarge(limit:)``.
    mutating func read(_ bytes: ArraySlice<UInt8>, limit: Int) throws(HTTPFailure) -> (used: Int, isWhole: Bool) {
        var rest = bytes
        while !rest.isEmpty {
            switch part {
            case .size:
                guard let line = try Self.popLine(&rest) else { return (rest.startIndex - bytes.startIndex, false) }
                try begin(line, limit: limit)
            case .data(let left):
                let piece = rest.prefix(left)
                data.append(contentsOf: piece)
                rest = rest.dropFirst(piece.count)
                part = piece.count == left ? .dataEnd : .data(left: left - piece.count)
            case .dataEnd:
                guard let line = try Self.popLine(&rest) else { return (rest.startIndex - bytes.startIndex, false) }
                guard line.isEmpty else { throw .badChunk }
                part = .size
            case .trailer:
                guard let line = try Self.popLine(&rest) else { return (rest.startIndex - bytes.startIndex, false) }
                guard !line.isEmpty else { return (rest.startIndex - bytes.startIndex, true) }
                try pass(trailer: line)
            }
        }
        return (bytes.count, false)
    }

    /// Reads a size: 1 to 8 hexadecimal digits, then nothing or extensions after a semicolon.
    private mutating func begin(_ line: ArraySlice<UInt8>, limit: Int) throws(HTTPFailure) {
        let digits = line.prefix { $0.hexadecimalValue != nil }
        let rest = line.dropFirst(digits.count)
        guard (1...8).contains(digits.count), rest.isEmpty || rest.first == UInt8(ascii: ";") else { throw .badChunk }
        try count(rest.count)
        let size = digits.reduce(0) { $0 << 4 | ($1.hexadecimalValue ?? 0) }
        guard data.count + size <= limit else { throw .bodyTooLarge(limit: limit) }
        part = size == 0 ? .trailer : .data(left: size)
    }

    private mutating func pass(trailer line: ArraySlice<UInt8>) throws(HTTPFailure) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(\.isTokenByte)
        else { throw .badChunk }
        try count(line.count)
    }

    private mutating func count(_ bytes: Int) throws(HTTPFailure) {
        side += bytes
        guard side <= Self.maximumOverheadBytes else { throw .badChunk }
    }

    /// Takes a line that ends in CR LF; nil while it is incomplete.
    private static func popLine(_ rest: inout ArraySlice<UInt8>) throws(HTTPFailure) -> ArraySlice<UInt8>? {
        let line = rest.prefix(while: \.isLineByte)
        let end = line.endIndex
        guard line.count <= maximumOverheadBytes else { throw .badChunk }
        guard end < rest.endIndex else { return nil }
        guard rest[end] == .carriageReturn else { throw .badChunk }
        guard end + 1 < rest.endIndex else { return nil }
        guard rest[end + 1] == .lineFeed else { throw .badChunk }
        rest = rest[(end + 2)...]
        return line
    }
}
