/// Reads a client's bytes as requests, one after another, and returns each when it is complete.
///
/// It is the only parser of requests. It refuses everything that two readers could interpret differently. Examples
/// are a bare LF, a folded line, two lengths, and a length beside a transfer coding.
struct RequestReader: Sendable {
    /// The result of reading the bytes so far.
    enum Verdict: Sendable {
        /// The request is incomplete.
        case needsMore
        /// The next request: its head, its route and its decoded body.
        case whole(RequestHead, Router.Match, body: [UInt8])
        /// The bytes are no valid request; later bytes are not read.
        case refused(HTTPFailure)
    }

    /// The progress of the next request.
    enum Progress: Sendable {
        case nothing
        case head
        case body(RequestHead)
    }

    private enum Stage: Sendable {
        case head
        case body(RequestHead, Router.Match, bytes: Int)
        case chunks(RequestHead, Router.Match, limit: Int)
        case refused(HTTPFailure)
    }

    /// The size in bytes of the buffer that an idle connection keeps for its next request.
    private static let keptCapacity = 4 << 10

    private let limits: HTTPLimits
    private var bytes: [UInt8] = []
    private var start = 0
    private var stage = Stage.head
    private var headReader: RequestHeadParser
    // Kept outside the stage, so that further reading does not copy the data of the chunks so far.
    private var chunks = ChunkedBodyDecoder()

    init(limits: HTTPLimits) {
        self.limits = limits
        headReader = RequestHeadParser(at: 0, limits: limits)
    }

    /// The number of bytes held.
    var count: Int { bytes.count - start }

    /// The bytes of the present request, from its first; used to describe a refused one.
    var held: ArraySlice<UInt8> { bytes[start...] }

    /// The progress of the next request at the last verdict.
    var progress: Progress {
        switch stage {
        case .head: count == 0 ? .nothing : .head
        case .body(let head, _, _), .chunks(let head, _, _): .body(head)
        case .refused: .nothing
        }
    }

    /// Takes bytes as they arrive; drops those after a refusal.
    mutating func receive(_ more: some Collection<UInt8>) {
        if case .refused = stage { return }
        bytes.append(contentsOf: more)
    }

    /// Reads further.
    ///
    /// - Parameter match: Finds the route of a head. It is called once for each request, when the head is complete.
    mutating func next(matching match: (RequestHead) -> Router.Match) -> Verdict {
        do throws(HTTPFailure) {
            if case .head = stage { try readHead(match) }
            return try readBody()
        } catch {
            stage = .refused(error)
            return .refused(error)
        }
    }

    /// Reads the head, and refuses a body whose announced size exceeds the route's limit.
    private mutating func readHead(_ match: (RequestHead) -> Router.Match) throws(HTTPFailure) {
        guard let head = try headReader.read(bytes) else { return }
        let match = match(head)
        let limit = match.bodyLimit ?? limits.bodyBytes
        switch head.framing {
        case .length(let length):
            guard length <= limit else { throw .bodyTooLarge(limit: limit) }
            stage = .body(head, match, bytes: length)
        case .chunked:
            chunks = ChunkedBodyDecoder()
            stage = .chunks(head, match, limit: limit)
        }
    }

    private mutating func readBody() throws(HTTPFailure) -> Verdict {
        switch stage {
        case .refused(let failure): throw failure
        case .head: return .needsMore
        case .body(let head, let match, let length):
            let end = headReader.end + length
            guard bytes.count >= end else { return .needsMore }
            let body = [UInt8](bytes[headReader.end..<end])
            beginNext(after: end)
            return .whole(head, match, body: body)
        case .chunks(let head, let match, let limit):
            let bodyStart = headReader.end
            let (used, isWhole) = try chunks.read(bytes[bodyStart...], limit: limit)
            guard isWhole else {
                bytes.removeSubrange(bodyStart..<bodyStart + used)
                return .needsMore
            }
            let body = chunks.data
            chunks = ChunkedBodyDecoder()
            beginNext(after: bodyStart + used)
            return .whole(head, match, body: body)
        }
    }

    /// Begins the next request, and removes the last one's bytes from the buffer once they are most of it.
    private mutating func beginNext(after end: Int) {
        start = end
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
            start = 0
        } else if start > Self.keptCapacity {
            bytes.removeFirst(start)
            start = 0
        }
        stage = .head
        headReader = RequestHeadParser(at: start, limits: limits)
    }
}
