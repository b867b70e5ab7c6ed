import Conversation
import HTTPClient
import Runtime
import Synchronization

/// A hosted model's reply while it streams.
final class HostedGeneration: Generation {
    private struct State {
        var events = ServerSentEvents()
        var ready = FirstInFirstOut<StreamReading>()
        var document: [UInt8] = []
        var pieces = 0
        var characters = 0
        var counted: (prompt: Int?, completion: Int?) = (nil, nil)
        var hasEnded = false
    }

    private static let largestDocument = 1 << 20

    private let response: IncomingResponse
    private let dialect: any ModelDialect
    private let promptTokens: Int
    private let isStream: Bool
    private let state = Mutex(State())

    init(_ response: IncomingResponse, _ dialect: any ModelDialect, promptTokens: Int) {
        self.response = response
        self.dialect = dialect
        self.promptTokens = promptTokens
        isStream = response.headers["Content-Type"]?.lowercased().hasPrefix("text/event-stream") == true
    }

    var usage: TokenUsage {
        state.withLock { state in
            let counted = state.counted
            return TokenUsage(
                promptTokens: counted.prompt ?? promptTokens,
                completionTokens: counted.completion ?? TokenEstimate.tokens(inCharacters: state.characters),
                isEstimate: counted.prompt == nil || counted.completion == nil || !state.hasEnded
            )
        }
    }

    func next() async throws(ModelError) -> String? {
        while true {
            while let reading = state.withLock({ $0.ready.popFirst() }) {
                if let text = try take(reading) { return text }
                if state.withLock({ $0.hasEnded }) { return try ended() }
            }
            if state.withLock({ $0.hasEnded }) { return try ended() }
            try await readMore()
        }
    }

    func stop() {
        response.body.stop()
    }

    deinit { stop() }

    private func take(_ reading: StreamReading) throws(ModelError) -> String? {
        switch reading {
        case .text(let text):
            state.withLock { state in
                state.pieces += 1
                state.characters += text.count
            }
            return text
        case .usage(let prompt, let completion):
            state.withLock { state in
                state.counted = (prompt ?? state.counted.prompt, completion ?? state.counted.completion)
            }
            return nil
        case .end:
            state.withLock { $0.hasEnded = true }
            return nil
        case .failure(let error):
            throw error
        }
    }

    /// A reply that is whole and has no text is a failure: nothing can be said of it.
    private func ended() throws(ModelError) -> String? {
        if state.withLock({ $0.pieces }) == 0 { throw .empty }
        return nil
    }

    private func readMore() async throws(ModelError) {
        let chunk: [UInt8]?
        do throws(TransferError) {
            chunk = try await response.body.next()
        } catch {
            throw ModelError(error, afterPieces: state.withLock { $0.pieces })
        }
        guard let chunk else { return try endOfBody() }
        try isStream ? readEvents(chunk) : readDocument(chunk)
    }

    private func readEvents(_ chunk: [UInt8]) throws(ModelError) {
        try state.withLock { state throws(ModelError) in
            do throws(ServerSentEvents.TooLong) {
                for event in try state.events.append(chunk) {
                    for reading in dialect.read(event) { state.ready.append(reading) }
                }
            } catch {
                throw .malformed(reason: "an event is longer than \(error.limit) bytes")
            }
        }
    }

    private func readDocument(_ chunk: [UInt8]) throws(ModelError) {
        try state.withLock { state throws(ModelError) in
            state.document += chunk
            guard state.document.count <= Self.largestDocument else {
                throw .malformed(reason: "the answer is longer than \(Self.largestDocument) bytes")
            }
        }
    }

    /// A stream that ends without saying so was cut; a document is read now that it is whole.
    private func endOfBody() throws(ModelError) {
        try state.withLock { state throws(ModelError) in
            guard !isStream else {
                throw state.pieces == 0 ? .empty : .cutOff(pieces: state.pieces)
            }
            guard !state.document.isEmpty else { throw .empty }
            for reading in dialect.read(whole: state.document) { state.ready.append(reading) }
        }
    }
}
