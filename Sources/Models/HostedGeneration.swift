import Conversation
import HTTPClient
import Runtime
import Synchronization

/// The streaming reply of a hosted model.
final class HostedGeneration: Generation {
    private let response: IncomingResponse
    private let reader: Mutex<AnswerReader>

    init(_ response: IncomingResponse, _ dialect: any ModelDialect, promptTokens: Int) {
        self.response = response
        let type = response.headers["Content-Type"]?.lowercased() ?? ""
        reader = Mutex(
            AnswerReader(dialect, isStream: type.hasPrefix("text/event-stream"), promptTokens: promptTokens)
        )
    }

    var usage: TokenUsage { reader.withLock { $0.usage } }

    func next() async throws(ModelError) -> String? {
        while true {
            switch reader.withLock({ $0.next() }) {
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

    private func readMore() async {
        do throws(TransferError) {
            let bytes = try await response.body.next()
            reader.withLock { if let bytes { $0.append(bytes) } else { $0.end() } }
        } catch {
            reader.withLock { $0.end(error) }
        }
    }
}
