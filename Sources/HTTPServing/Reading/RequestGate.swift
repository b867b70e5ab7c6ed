/// Holds a client's bytes until they form one complete, unambiguous request.
///
/// `evhttp` is lenient: it accepts bare LF, signed lengths, folded lines and repeated lengths. It also reads a HEAD
/// request's body as the next request. Behind the gate it receives one request at a time in an unambiguous form, and
/// nothing of a refused request.
struct RequestGate: Sendable {
    /// The next step after reading the bytes so far.
    enum Verdict: Sendable {
        /// The request is incomplete.
        case needsMore
        /// The next request, and its bytes for `evhttp`.
        case whole(RequestHead, wire: [UInt8])
        /// The bytes are not a valid request; neither is anything after them.
        case refused(HTTPFailure)
    }

    /// The received part of the next request.
    enum Progress: Sendable {
        case nothing
        case head
        case body(RequestHead)
    }

    private enum Stage: Sendable {
        case head(HeadReader)
        case body(RequestHead, HeadReader, length: Int)
        case chunks(RequestHead, HeadReader, ChunkReader, limit: Int)
        case refused(HTTPFailure)
    }

    /// The buffer size that an idle connection keeps.
    private static let keptCapacity = 4 << 10

    private let limits: HTTPLimits
    private var bytes: [UInt8] = []
    private var stage: Stage
    private var start = 0

    init(limits: HTTPLimits) {
        self.limits = limits
        stage = .head(HeadReader(at: 0, limits: limits))
    }

    /// The number of bytes held.
    var count: Int { bytes.count - start }

    /// The bytes of the current request from its first, for reporting a refusal.
    var held: ArraySlice<UInt8> { bytes[start...] }

    /// The received part of the next request at the last verdict.
    var progress: Progress {
        switch stage {
        case .head: count == 0 ? .nothing : .head
        case .body(let head, _, _), .chunks(let head, _, _, _): .body(head)
        case .refused: .nothing
        }
    }

    /// Takes bytes as they arrive; bytes after a refusal are dropped.
    mutating func receive(_ more: some Collection<UInt8>) {
        if case .refused = stage { return }
        bytes.append(contentsOf: more)
    }

    /// Decides the next step.
    ///
    /// - Parameter bodyLimit: Returns the maximum body size in bytes for a request with this head.
    mutating func next(bodyLimit: (RequestHead) -> Int) -> Verdict {
        do throws(HTTPFailure) {
            if case .head(let reader) = stage { try readHead(reader, bodyLimit) }
            return try readBody()
        } catch {
            stage = .refused(error)
            return .refused(error)
        }
    }

    private mutating func readHead(_ last: HeadReader, _ bodyLimit: (RequestHead) -> Int) throws(HTTPFailure) {
        var reader = last
        let head = try reader.read(bytes)
        stage = .head(reader)
        guard let head else { return }
        switch head.framing {
        case .none: stage = .body(head, reader, length: 0)
        case .length(let length):
            let limit = bodyLimit(head)
            guard length <= limit else { throw .bodyTooLarge(limit: limit) }
            stage = .body(head, reader, length: length)
        case .chunked: stage = .chunks(head, reader, ChunkReader(), limit: bodyLimit(head))
        }
    }

    private mutating func readBody() throws(HTTPFailure) -> Verdict {
        switch stage {
        case .refused(let failure): throw failure
        case .head: return .needsMore
        case .body(let head, let reader, let length):
            guard bytes.count - reader.end >= length else { return .needsMore }
            let end = reader.end + length
            return pass(head, fields: reader, body: bytes[reader.end..<end], upTo: end)
        case .chunks(let head, let reader, var chunks, let limit):
            let (used, isWhole) = try chunks.read(bytes[reader.end...], limit: limit)
            guard isWhole else {
                bytes.removeSubrange(reader.end..<reader.end + used)
                stage = .chunks(head, reader, chunks, limit: limit)
                return .needsMore
            }
            return pass(head, fields: reader, body: chunks.data.asOneChunk[...], upTo: reader.end + used)
        }
    }

    /// Passes a request on and begins the next.
    ///
    /// The request line gets origin form, and tabs become spaces: `evhttp` does not treat a tab before a value as
    /// blank. It would miss `Transfer-Encoding` behind a tab.
    private mutating func pass(
        _ head: RequestHead,
        fields: HeadReader,
        body: ArraySlice<UInt8>,
        upTo end: Int
    ) -> Verdict {
        var wire: [UInt8] = []
        wire.reserveCapacity(end - start + 16)
        wire.append(contentsOf: head.method.rawValue.utf8)
        wire.append(UInt8(ascii: " "))
        wire.append(contentsOf: head.target.wire)
        wire.append(contentsOf: " HTTP/1.\(head.minorVersion)\r\n".utf8)
        wire.append(contentsOf: bytes[fields.fieldsStart..<fields.end].lazy.map { $0 == .tab ? .space : $0 })
        wire.append(contentsOf: body)
        discard(upTo: end)
        stage = .head(HeadReader(at: start, limits: limits))
        return .whole(head, wire: wire)
    }

    /// Frees the memory of passed requests once it is all or much of the buffer.
    private mutating func discard(upTo end: Int) {
        start = end
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
            start = 0
        } else if start > Self.keptCapacity {
            bytes.removeFirst(start)
            start = 0
        }
    }
}

extension [UInt8] {
    /// The bytes as a chunked body of one chunk, or of none when empty.
    fileprivate var asOneChunk: [UInt8] {
        guard !isEmpty else { return [UInt8]("0\r\n\r\n".utf8) }
        return [UInt8]("\(String(count, radix: 16))\r\n".utf8) + self + [UInt8]("\r\n0\r\n\r\n".utf8)
    }
}
