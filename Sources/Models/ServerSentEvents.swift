/// Parses a stream of server-sent events in pieces of any size (HTML Living Standard, section 9.2).
///
/// A blank line ends an event. Comments and fields other than `event` and `data` are ignored. Lines end with LF, CRLF
/// or CR. Lines and events have a size limit.
package struct ServerSentEvents: Sendable {
    /// One event.
    package struct Event: Sendable, Equatable {
        /// The event's name; empty when the stream gave none.
        package internal(set) var name = ""
        /// The event's data; lines are joined by LF.
        package internal(set) var data: [UInt8] = []
    }

    /// A line or an event exceeds the size limit.
    package struct TooLong: Error, Equatable {
        /// The limit in bytes.
        package let limit: Int
    }

    private let limit: Int
    private var line: [UInt8] = []
    private var event = Event()
    private var hasData = false
    private var lastWasReturn = false
    private var isAtStart = true

    /// Makes a parser.
    ///
    /// - Parameter limit: The maximum size of a line and of an event in bytes.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Reads a piece and returns the completed events.
    package mutating func append(_ piece: [UInt8]) throws(TooLong) -> [Event] {
        var events: [Event] = []
        var rest = piece[...]
        if let first = rest.first {
            if lastWasReturn, first == Self.lineFeed { rest.removeFirst() }
            lastWasReturn = false
        }
        while let end = rest.firstIndex(where: { $0 == Self.lineFeed || $0 == Self.carriageReturn }) {
            try take(rest[..<end])
            if let event = endLine() { events.append(event) }
            let isReturn = rest[end] == Self.carriageReturn
            rest = rest[(end + 1)...]
            guard isReturn else { continue }
            lastWasReturn = rest.isEmpty
            if rest.first == Self.lineFeed { rest.removeFirst() }
        }
        try take(rest)
        return events
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) throws(TooLong) {
        guard line.count + bytes.count + event.data.count <= limit else { throw TooLong(limit: limit) }
        line += bytes
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private mutating func endLine() -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        if isAtStart, line.starts(with: Self.mark) { line.removeFirst(3) }
        isAtStart = false
        guard !line.isEmpty else { return endEvent() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        let field = line[..<colon]
        if field.elementsEqual("data".utf8) {
            if hasData { event.data.append(Self.lineFeed) }
            event.data += value
            hasData = true
        } else if field.elementsEqual("event".utf8) {
            event.name = String(decoding: value, as: UTF8.self)
        }
        return nil
    }

    private mutating func endEvent() -> Event? {
        defer {
            event = Event()
            hasData = false
        }
        return hasData ? event : nil
    }
}
