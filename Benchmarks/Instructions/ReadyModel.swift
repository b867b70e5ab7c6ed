import Conversation
import Domain
import Runtime
import Synchronization

/// A model that has its reply ready, in pieces.
struct ReadyModel: LanguageModel {
    let name = "ready"
    let pieces: [String]

    func generate(_ prompt: Prompt, by deadline: Deadline) async throws(ModelError) -> any Generation {
        ReadyReply(pieces)
    }
}

/// A reply that only has to be read.
private final class ReadyReply: Generation {
    private let left: Mutex<ArraySlice<String>>
    let usage = TokenUsage(promptTokens: 400, completionTokens: 12)

    init(_ pieces: [String]) {
        left = Mutex(pieces[...])
    }

    func next() async throws(ModelError) -> String? { left.withLock { $0.popFirst() } }

    func stop() {}
}
