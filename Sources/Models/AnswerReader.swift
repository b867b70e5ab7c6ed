import Conversation
import HTTPClient
import Runtime

/// Extracts the reply's text from a provider's response, streamed or in one document.
///
/// It needs no socket: bytes go in as they arrive, and ``next()`` returns the next step.
struct AnswerReader {
    /// The next step.
    enum Step: Equatable {
        /// The next piece of the reply.
        case text(String)
        /// No text until more bytes arrive.
        case needsMore
        /// The reply is complete.
        case whole
        /// The reply has failed; repeated calls return this again.
        case failed(ModelError)
    }

    private enum Form { case unknown, events, document }

    /// The maximum size of a response in bytes; a spoken reply has a few thousand with framing.
    static let largestAnswer = 4 << 20
    /// The maximum size in bytes of a line, of an event, and of a response in one document.
    static let largestEvent = 256 << 10

    private let dialect: any ModelDialect
    private let promptTokens: Int
    private var form: Form
    private var events = ServerSentEvents(limit: largestEvent)
    private var document: [UInt8] = []
    private var ready = FirstInFirstOut<StreamReading>()
    private var received = 0
    /// The number of pieces that have arrived, delivered or not.
    private var pieces = 0
    private var writtenBytes = 0
    private var counted: (prompt: Int?, completion: Int?) = (nil, nil)
    private var isFinished = false
    private var outcome: Step?

    /// - Parameters:
    ///   - isStream: True if the response declares itself a stream of events.
    ///   - promptTokens: The estimated number of tokens in the prompt.
    init(_ dialect: any ModelDialect, isStream: Bool, promptTokens: Int) {
        self.dialect = dialect
        self.promptTokens = promptTokens
        form = isStream ? .events : .unknown
    }

    /// The token usage so far.
    var usage: TokenUsage {
        TokenUsage(
            promptTokens: counted.prompt ?? promptTokens,
            completionTokens: counted.completion ?? (writtenBytes + 3) / 4,
            isEstimate: counted.prompt == nil || counted.completion == nil || outcome != .whole
        )
    }

    /// Returns the next step.
    mutating func next() -> Step {
        while outcome == nil, let reading = ready.popFirst() {
            if let text = take(reading) { return .text(text) }
        }
        return outcome ?? .needsMore
    }

    /// Takes received bytes.
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
    /// - Parameter error: The reason for the end; nil when the HTTP response was complete.
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

    /// Detects an undeclared form: some hosts and proxies send a wrong content type.
    private static func form(of bytes: [UInt8]) -> Form {
        switch bytes.first(where: { !$0.isWhiteSpace }) {
        case nil: .unknown
        case UInt8(ascii: "d"), UInt8(ascii: "e"), UInt8(ascii: ":"): .events
        default: .document
        }
    }
}

extension ServerSentEvents.Event {
    /// True if the event only keeps the connection alive.
    fileprivate var isBlank: Bool { data.allSatisfy(\.isWhiteSpace) }
}

extension UInt8 {
    fileprivate var isWhiteSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
