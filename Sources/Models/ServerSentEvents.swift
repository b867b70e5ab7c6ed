import Foundation

/// Reads a stream of server-sent events, in pieces of any size (HTML Living Standard, section 9.2).
///
/// Fields are collected until a blank line ends the event; comments and fields other than `event` and `data` are
/// skipped. Lines end with LF, CRLF or CR. Both a line and an event are bounded.
///
/// A line inside one piece is read in place; only a line that is split between pieces is copied.
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
    /// The beginning of an incomplete line.
    private var begun: [UInt8] = []
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

    /// Reads a piece and returns the complete events.
    package mutating func append(_ piece: UnsafeRawBufferPointer) throws(TooLong) -> [Event] {
        var events: [Event] = []
        var start = 0
        if lastWasReturn, let first = piece.first {
            lastWasReturn = false
            if first == Self.lineFeed { start = 1 }
        }
        while let end = piece.lineEnd(from: start) {
            try endLine(piece[start..<end])
            if let event = takeEvent() { events.append(event) }
            start = end + 1
            guard piece[end] == Self.carriageReturn else { continue }
            lastWasReturn = start == piece.count
            if start < piece.count, piece[start] == Self.lineFeed { start += 1 }
        }
        try check(piece.count - start)
        begun.append(contentsOf: piece[start...])
        return events
    }

    /// True if the last line has ended an event.
    private var isEventOver = false

    private func check(_ more: Int) throws(TooLong) {
        guard begun.count + more + event.data.count <= limit else { throw TooLong(limit: limit) }
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private mutating func endLine(_ rest: Slice<UnsafeRawBufferPointer>) throws(TooLong) {
        try check(rest.count)
        guard !begun.isEmpty else { return read(UnsafeRawBufferPointer(rebasing: rest)) }
        let line = begun + rest
        begun = []
        line.withUnsafeBytes { read($0) }
    }

    private mutating func read(_ line: UnsafeRawBufferPointer) {
        var line = line
        if isAtStart, line.starts(with: Self.mark) { line = UnsafeRawBufferPointer(rebasing: line.dropFirst(3)) }
        isAtStart = false
        isEventOver = line.isEmpty
        guard !line.isEmpty else { return }
        let colon = line.place(of: UInt8(ascii: ":"), from: 0, to: line.count) ?? line.count
        var value = line[min(colon + 1, line.count)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let field = line[..<colon]
        if field.elementsEqual("data".utf8) {
            if hasData { event.data.append(Self.lineFeed) }
            event.data.append(contentsOf: UnsafeRawBufferPointer(rebasing: value))
            hasData = true
        } else if field.elementsEqual("event".utf8) {
            event.name = String(decoding: value, as: UTF8.self)
        }
    }

    /// Returns the event that the last line has ended; nil when there is none, or when it has no data.
    private mutating func takeEvent() -> Event? {
        guard isEventOver else { return nil }
        isEventOver = false
        defer {
            event = Event()
            hasData = false
        }
        return hasData ? event : nil
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the end of the first line at or after a start; nil while it is incomplete.
    fileprivate func lineEnd(from start: Int) -> Int? {
        let feed = place(of: UInt8(ascii: "\n"), from: start, to: count)
        return place(of: UInt8(ascii: "\r"), from: start, to: feed ?? count) ?? feed
    }

    /// Returns the first position of a byte in a range; nil when there is none.
    fileprivate func place(of byte: UInt8, from start: Int, to end: Int) -> Int? {
        guard let base = baseAddress, start < end, let found = memchr(base + start, Int32(byte), end - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - base
    }
}
