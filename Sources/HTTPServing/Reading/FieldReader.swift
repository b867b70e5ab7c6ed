import Runtime

/// Reads the header fields of a request, and decides from them where the message ends.
struct FieldReader: Sendable {
    /// The fields so far, in order.
    private(set) var fields = HeaderFields()
    private var hosts = 0
    private var length: Int?
    private var codings = 0
    private var closes = false
    private var expectsContinue = false
    private var hasUnknownExpectation = false

    /// Reads a field line without its end (RFC 9112, section 5): a token, a colon and a value.
    mutating func read(_ line: ArraySlice<UInt8>, atMost limit: Int) throws(HTTPFailure) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(\.isTokenByte)
        else { throw .badField }
        guard fields.all.count < limit else { throw .headTooLarge(limit: limit) }
        let (name, value) = (line[..<colon], line[(colon + 1)...].trimmingBlanks)
        try note(name, value)
        fields.add(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    private mutating func note(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) throws(HTTPFailure) {
        switch name.count {
        case 4 where name.isEqual(ignoringCaseOf: "host"): try noteHost(value)
        case 6 where name.isEqual(ignoringCaseOf: "expect"): noteExpectation(value)
        case 10 where name.isEqual(ignoringCaseOf: "connection"): noteConnection(value)
        case 14 where name.isEqual(ignoringCaseOf: "content-length"): try noteLength(value)
        case 17 where name.isEqual(ignoringCaseOf: "transfer-encoding"): try noteCoding(value)
        default: break
        }
    }

    private mutating func noteHost(_ value: ArraySlice<UInt8>) throws(HTTPFailure) {
        hosts += 1
        guard hosts == 1, value.allSatisfy(\.isHostByte) else { throw .badHost }
    }

    private mutating func noteExpectation(_ value: ArraySlice<UInt8>) {
        if value.isEqual(ignoringCaseOf: "100-continue") {
            expectsContinue = true
        } else {
            hasUnknownExpectation = true
        }
    }

    private mutating func noteConnection(_ value: ArraySlice<UInt8>) {
        let options = value.split(separator: UInt8(ascii: ","))
        if options.contains(where: { $0.trimmingBlanks.isEqual(ignoringCaseOf: "close") }) { closes = true }
    }

    /// Reads a length of at most 18 digits, given once.
    ///
    /// A list, a sign or a second field would allow request smuggling.
    private mutating func noteLength(_ value: ArraySlice<UInt8>) throws(HTTPFailure) {
        guard length == nil, (1...18).contains(value.count), value.allSatisfy(\.isDigit) else { throw .badLength }
        length = value.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private mutating func noteCoding(_ value: ArraySlice<UInt8>) throws(HTTPFailure) {
        codings += 1
        guard codings == 1 else { throw .badLength }
        guard value.isEqual(ignoringCaseOf: "chunked") else { throw .unknownTransferCoding }
    }

    /// Makes the head, once its last line has been read.
    func head(for line: RequestLine) throws(HTTPFailure) -> RequestHead {
        if line.minorVersion == 1 && hosts == 0 { throw .badHost }
        if line.minorVersion == 1 && hasUnknownExpectation { throw .unknownExpectation }
        return RequestHead(
            method: line.method,
            target: line.target,
            minorVersion: line.minorVersion,
            headers: fields,
            framing: try framing(for: line),
            closes: closes || line.minorVersion == 0,
            expectsContinue: expectsContinue && line.minorVersion == 1
        )
    }

    private func framing(for line: RequestLine) throws(HTTPFailure) -> RequestHead.Framing {
        if codings > 0 && (length != nil || line.minorVersion == 0 || line.method == .head) { throw .badLength }
        guard codings == 0 else { return .chunked }
        guard let length else { return .length(0) }
        guard length == 0 || line.method != .head else { throw .badLength }
        return .length(length)
    }
}
