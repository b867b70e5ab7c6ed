/// Finds and checks the head of a request in the bytes that have arrived, a line at a time.
///
/// It is stricter than the grammar asks of a reader where leniency lets two servers disagree about where a request ends:
/// lines end in CR LF only, nothing is folded, and no control byte stands anywhere. What is wrong is said as soon as
/// the line with the fault has arrived, so that bytes which are not HTTP at all are not waited for.
struct HeadReader: Sendable {
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

    /// Reads on in the same bytes, of which there are more than before; nil when the head is not whole yet.
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

    /// One empty line before a request is passed over, as RFC 9112, section 2.2, advises.
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
