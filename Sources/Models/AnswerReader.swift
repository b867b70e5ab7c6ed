import Conversation
import HTTPClient
import Runtime

/// Makes text out of the bytes of a provider's answer, whether they are a stream of events or one document.
///
/// A value without a socket: bytes go in as they arrive, ``next(at:)`` says what there is to do.
struct AnswerReader {
    /// What there is now.
    enum Step: Equatable {
        /// The next piece of the reply.
        case text(String)
        /// Nothing until more bytes arrive.
        case needsMore
        /// The reply is whole.
        case whole
        /// There will be no more; said again however often it is asked.
        case failed(ModelError)
    }

    private enum Form { case unknown, events, document }

    /// The most bytes of an answer; a spoken reply has a few thousand, framing included.
    static let largestAnswer = 4 << 20
    /// The most bytes of a line and of an event, and of an answer that is one document.
    static let largestEvent = 256 << 10

    private let dialect: any ModelDialect
    private let promptTokens: Int
    private var form: Form
    private var events = ServerSentEvents(limit: largestEvent)
    private var frame: EventFrame?
    private var document: [UInt8] = []
    private var gathered = GatheredText()
    private var received = 0
    /// How many pieces have arrived, whether they have been asked for or not.
    private var pieces = 0
    private var writtenBytes = 0
    private var counted: (prompt: Int?, completion: Int?) = (nil, nil)
    private var isFinished = false
    /// What comes after the text; nothing that arrives later changes it.
    private var ending: Step?

    /// - Parameters:
    ///   - isStream: Whether the answer says of itself that it is a stream of events.
    ///   - promptTokens: Our estimate of the prompt's tokens.
    init(_ dialect: any ModelDialect, isStream: Bool, promptTokens: Int) {
        self.dialect = dialect
        self.promptTokens = promptTokens
        form = isStream ? .events : .unknown
    }

    /// What was used so far.
    var usage: TokenUsage {
        TokenUsage(
            promptTokens: counted.prompt ?? promptTokens,
            completionTokens: counted.completion ?? (writtenBytes + 3) / 4,
            isEstimate: counted.prompt == nil || counted.completion == nil || ending != .whole
        )
    }

    /// Whether there is something to do besides waiting for bytes.
    func isReady(at now: Instant) -> Bool { ending != nil || gathered.isDue(at: now) }

    /// The next piece, or what must happen before there is one.
    mutating func next(at now: Instant) -> Step {
        if gathered.isDue(at: now) || ending != nil && !gathered.text.isEmpty { return .text(gathered.take(at: now)) }
        return ending ?? .needsMore
    }

    /// Takes bytes that have arrived.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        received += bytes.count
        guard received <= Self.largestAnswer else { return end(.failed(.malformed(reason: "an answer without end"))) }
        if form == .unknown { form = Self.form(of: document + bytes) }
        switch form {
        case .events where document.isEmpty: appendEvents(bytes)
        case .events:
            let whole = document + bytes
            document = []
            whole.withUnsafeBytes { appendEvents($0) }
        case .document, .unknown: appendDocument(bytes)
        }
    }

    /// Takes the end of the bytes.
    ///
    /// - Parameter error: Why they ended; nil when the answer was whole as HTTP.
    mutating func end(_ error: TransferError? = nil) {
        if error == nil, form == .document {
            for reading in dialect.read(whole: document) { take(reading) }
        } else if isFinished {
            take(.end)
        } else if let error {
            take(.failure(ModelError(error, afterPieces: pieces)))
        } else {
            take(.failure(received == 0 ? .empty : .cutOff(pieces: pieces)))
        }
    }

    private mutating func take(_ reading: StreamReading) {
        guard ending == nil else { return }
        switch reading {
        case .text(let text):
            pieces += 1
            writtenBytes += text.utf8.count
            gathered.append(text)
        case .usage(let prompt, let completion):
            counted = (prompt ?? counted.prompt, completion ?? counted.completion)
        case .finished: isFinished = true
        case .tokenLimit: end(.failed(.tokenLimit(pieces: pieces)))
        case .end: end(pieces == 0 ? .failed(.empty) : .whole)
        case .failure(let error): end(.failed(error))
        }
    }

    private mutating func end(_ ending: Step) {
        if self.ending == nil { self.ending = ending }
    }

    private mutating func appendEvents(_ bytes: UnsafeRawBufferPointer) {
        do {
            for event in try events.append(bytes) where ending == nil { take(event) }
        } catch {
            end(.failed(.malformed(reason: "an event is longer than \(error.limit) bytes")))
        }
    }

    /// Reads an event: the text out of its usual place, or else all of it.
    private mutating func take(_ event: ServerSentEvents.Event) {
        if let text = frame?.text(of: event) { return take(.text(text)) }
        guard !event.isBlank else { return }
        let readings = dialect.read(event)
        for reading in readings { take(reading) }
        if readings.count == 1, case .text(let text) = readings[0] { frame = EventFrame(of: event, saying: text) }
    }

    private mutating func appendDocument(_ bytes: UnsafeRawBufferPointer) {
        document += bytes
        guard document.count > Self.largestEvent else { return }
        end(.failed(.malformed(reason: "the answer is longer than \(Self.largestEvent) bytes")))
    }

    /// What an answer is that does not say so: some hosts and proxies give events or documents the wrong type.
    private static func form(of bytes: [UInt8]) -> Form {
        switch bytes.first(where: { !$0.isWhiteSpace }) {
        case nil: .unknown
        case UInt8(ascii: "d"), UInt8(ascii: "e"), UInt8(ascii: ":"): .events
        default: .document
        }
    }
}

extension ServerSentEvents.Event {
    /// Whether the event only keeps the connection alive.
    fileprivate var isBlank: Bool { data.allSatisfy(\.isWhiteSpace) }
}

extension UInt8 {
    fileprivate var isWhiteSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
