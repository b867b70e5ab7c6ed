import Conversation
import HTTPClient
import Runtime
import Synchronization

/// A hosted model's reply while it streams.
final class HostedGeneration: Generation {
    private let response: IncomingResponse
    private let time: any TimeSource
    private let reader: Mutex<AnswerReader>

    init(_ response: IncomingResponse, _ dialect: any ModelDialect, promptTokens: Int, time: any TimeSource) {
        self.response = response
        self.time = time
        let type = response.headers["Content-Type"]?.lowercased() ?? ""
        reader = Mutex(
            AnswerReader(dialect, isStream: type.hasPrefix("text/event-stream"), promptTokens: promptTokens)
        )
    }

    var usage: TokenUsage { reader.withLock { $0.usage } }

    func next() async throws(ModelError) -> String? {
        while true {
            switch reader.withLock({ $0.next(at: time.now) }) {
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
            let isReady = try await response.body.pour { [self] bytes in
                reader.withLock { reader in
                    reader.append(bytes)
                    return reader.isReady(at: time.now)
                }
            }
            if !isReady { reader.withLock { $0.end() } }
        } catch {
            reader.withLock { $0.end(error) }
        }
    }
}
