/// Finds and validates the head of a request line by line in the received bytes.
///
/// It is stricter than the grammar where leniency lets two servers disagree about a request's end. Lines end in CR LF
/// only, nothing is folded, and control bytes are refused. A faulty line is reported at once, so bytes that are not
/// HTTP cause no waiting.
struct RequestHeadParser: Sendable {
    private let limits: HTTPLimits
    private let start: Int
    private var lineStart: Int
    private var position: Int
    private var line: RequestLine?
    private var fields = FieldReader()
    private var skippedEmptyLine = false

    /// The position after the head's empty line, once the head has been read.
    private(set) var end = 0

    init(at start: Int, limits: HTTPLimits) {
        self.limits = limits
        self.start = start
        lineStart = start
        position = start
    }

    /// Continues in the same, longer bytes; nil while the head is incomplete.
    mutating func read(_ bytes: [UInt8]) throws(HTTPFailure) -> RequestHead? {
        while position < bytes.count {
            guard bytes[position] != .carriageReturn else {
                guard position + 1 < bytes.count else { break }
                guard bytes[position + 1] == .lineFeed else { throw fault }
                if let head = try endLine(bytes[lineStart..<position]) { return head }
                continue
            }
            guard bytes[position].isLineByte else { throw fault }
            position += 1
        }
        try checkSize(lineBytes: position - lineStart)
        return nil
    }

    private var fault: HTTPFailure { line == nil ? .badRequestLine : .badField }

    private mutating func endLine(_ text: ArraySlice<UInt8>) throws(HTTPFailure) -> RequestHead? {
        position += 2
        try checkSize(lineBytes: text.count)
        lineStart = position
        guard let line else {
            try readRequestLine(text)
            return nil
        }
        guard text.isEmpty else {
            try fields.read(text, atMost: limits.headerFields)
            return nil
        }
        end = position
        return try fields.head(for: line)
    }

    /// Skips one empty line before a request, as RFC 9112, section 2.2, advises.
    private mutating func readRequestLine(_ text: ArraySlice<UInt8>) throws(HTTPFailure) {
        guard !text.isEmpty || skippedEmptyLine else {
            skippedEmptyLine = true
            return
        }
        line = try RequestLine(text)
    }

    private func checkSize(lineBytes: Int) throws(HTTPFailure) {
        if line == nil && lineBytes > limits.requestLineBytes {
            throw .requestLineTooLong(limit: limits.requestLineBytes)
        }
        if position - start > limits.headBytes { throw .headTooLarge(limit: limits.headBytes) }
    }
}
