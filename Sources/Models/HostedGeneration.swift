import Conversation
import HTTPClient
import Runtime
import Synchronization

/// The streaming reply of a hosted model.
final class HostedGeneration: Generation {
    /// What reads the answer; apart from the reply, so that a transfer that holds it holds no reply.
    private final class Reading: Sendable {
        let reader: Mutex<AnswerReader>
        let time: any TimeSource

        init(_ reader: AnswerReader, time: any TimeSource) {
            self.reader = Mutex(reader)
            self.time = time
        }

        func next() -> AnswerReader.Step { reader.withLock { $0.next(at: time.now) } }

        /// Takes bytes; whether there is something to give on.
        func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
            reader.withLock { reader in
                reader.append(bytes)
                return reader.isReady(at: time.now)
            }
        }

        func end(_ error: TransferError? = nil) { reader.withLock { $0.end(error) } }
    }

    private let response: IncomingResponse
    private let reading: Reading

    init(_ response: IncomingResponse, _ dialect: any ModelDialect, promptTokens: Int, time: any TimeSource) {
        self.response = response
        let type = response.headers["Content-Type"]?.lowercased() ?? ""
        let isStream = type.hasPrefix("text/event-stream")
        reading = Reading(AnswerReader(dialect, isStream: isStream, promptTokens: promptTokens), time: time)
    }

    var usage: TokenUsage { reading.reader.withLock { $0.usage } }

    func next() async throws(ModelError) -> String? {
        while true {
            switch reading.next() {
            case .text(let text): return text
            case .needsMore: await readMore()
            case .whole:
                response.body.dropRest()
                return nil
            case .failed(let error):
                stop()
                throw error
            }
        }
    }

    func stop() {
        response.body.stop()
    }

    deinit { stop() }

    /// Reads on until there is something to give on, or the bytes end.
    private func readMore() async {
        do throws(TransferError) {
            let isReady = try await response.body.pour { [reading] in reading.append($0) }
            if !isReady { reading.end() }
        } catch {
            reading.end(error)
        }
    }
}
