import Conversation
import HTTPClient
import Runtime

/// Makes text out of the bytes of a provider's answer, whether they are a stream of events or one document.
///
/// A value without a socket: bytes go in as they arrive, ``next()`` says what there is to do.
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
    private var document: [UInt8] = []
    private var ready = FirstInFirstOut<StreamReading>()
    private var received = 0
    /// How many pieces have arrived, whether they have been asked for or not.
    private var pieces = 0
    private var writtenBytes = 0
    private var counted: (prompt: Int?, completion: Int?) = (nil, nil)
    private var isFinished = false
    private var outcome: Step?

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
            isEstimate: counted.prompt == nil || counted.completion == nil || outcome != .whole
        )
    }

    /// The next piece, or what must happen before there is one.
    mutating func next() -> Step {
        while outcome == nil, let reading = ready.popFirst() {
            if let text = take(reading) { return .text(text) }
        }
        return outcome ?? .needsMore
    }

    /// Takes bytes that have arrived.
    mutating func append(_ bytes: [UInt8]) {
        received += bytes.count
        guard received <= Self.largestAnswer else { return fail(.malformed(reason: "an answer without end")) }
        if form == .unknown { form = Self.form(of: document + bytes) }
        switch form {
        case .events: appendEvents(document.isEmpty ? bytes : document + bytes)
        case .document, .unknown: appendDocument(bytes)
        }
    }

    /// Takes the end of the bytes.
    ///
    /// - Parameter error: Why they ended; nil when the answer was whole as HTTP.
    mutating func end(_ error: TransferError? = nil) {
        if error == nil, form == .document {
            add(dialect.read(whole: document))
        } else if isFinished {
            ready.append(.end)
        } else if let error {
            ready.append(.failure(ModelError(error, afterPieces: pieces)))
        } else {
            ready.append(.failure(received == 0 ? .empty : .cutOff(pieces: pieces)))
        }
    }

    private mutating func take(_ reading: StreamReading) -> String? {
        switch reading {
        case .text(let text):
            writtenBytes += text.utf8.count
            return text
        case .usage(let prompt, let completion):
            counted = (prompt ?? counted.prompt, completion ?? counted.completion)
        case .finished: isFinished = true
        case .tokenLimit: fail(.tokenLimit(pieces: pieces))
        case .end: outcome = pieces == 0 ? .failed(.empty) : .whole
        case .failure(let error): fail(error)
        }
        return nil
    }

    private mutating func add(_ readings: [StreamReading]) {
        for reading in readings {
            if case .text = reading { pieces += 1 }
            ready.append(reading)
        }
    }

    private mutating func fail(_ error: ModelError) {
        if outcome == nil { outcome = .failed(error) }
    }

    private mutating func appendEvents(_ bytes: [UInt8]) {
        document = []
        do {
            for event in try events.append(bytes) where !event.isBlank {
                let readings = dialect.read(event)
                isFinished = isFinished || readings.contains(.finished)
                add(readings)
            }
        } catch {
            ready.append(.failure(.malformed(reason: "an event is longer than \(error.limit) bytes")))
        }
    }

    private mutating func appendDocument(_ bytes: [UInt8]) {
        document += bytes
        guard document.count > Self.largestEvent else { return }
        fail(.malformed(reason: "the answer is longer than \(Self.largestEvent) bytes"))
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
