/// Holds a client's bytes back until they are one whole, unambiguous request, and only then lets them through.
///
/// `evhttp` reads leniently: it takes a bare LF for a line's end, a sign before a length, a folded line, the first of two
/// lengths, and it leaves the body of a HEAD request to be read as the next request. Behind the gate it sees one request at
/// a time, whole and in the one form about which no two readers disagree, and nothing at all of a request that is refused.
struct RequestGate: Sendable {
    /// What is to be done with the bytes so far.
    enum Verdict: Sendable {
        /// The request is not whole.
        case needsMore
        /// The next request, and its bytes for `evhttp`.
        case whole(RequestHead, wire: [UInt8])
        /// The bytes cannot be read as a request, nor can any after them.
        case refused(HTTPFailure)
    }

    /// How much of the next request has arrived.
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

    /// How much room an idle connection keeps for its next request.
    private static let keptCapacity = 4 << 10

    private let limits: HTTPLimits
    private var bytes: [UInt8] = []
    private var stage: Stage
    private var start = 0

    init(limits: HTTPLimits) {
        self.limits = limits
        stage = .head(HeadReader(at: 0, limits: limits))
    }

    /// How many bytes are held.
    var count: Int { bytes.count - start }

    /// The bytes of the request that is being read, from its first; for telling about a refused one.
    var held: ArraySlice<UInt8> { bytes[start...] }

    /// How much of the next request has arrived, as of the last verdict.
    var progress: Progress {
        switch stage {
        case .head: count == 0 ? .nothing : .head
        case .body(let head, _, _), .chunks(let head, _, _, _): .body(head)
        case .refused: .nothing
        }
    }

    /// Takes bytes as they arrive; what follows a refusal is dropped.
    mutating func receive(_ more: some Collection<UInt8>) {
        if case .refused = stage { return }
        bytes.append(contentsOf: more)
    }

    /// Says what is to be done next.
    ///
    /// - Parameter bodyLimit: Gives the most bytes that the body of a request with this head may have.
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

    /// Lets a request through and begins the next.
    ///
    /// Its line is in origin form and its tabs are spaces: `evhttp` does not take a tab before a value for blank, and would
    /// not know `Transfer-Encoding` behind one.
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

    /// Gives back the room of what has been let through, once that is all there is or a good part of it.
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
    /// The bytes as a chunked body of one chunk, or of none when there are no bytes.
    fileprivate var asOneChunk: [UInt8] {
        guard !isEmpty else { return [UInt8]("0\r\n\r\n".utf8) }
        return [UInt8]("\(String(count, radix: 16))\r\n".utf8) + self + [UInt8]("\r\n0\r\n\r\n".utf8)
    }
}
