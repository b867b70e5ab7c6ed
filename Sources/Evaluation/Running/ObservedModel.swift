import Conversation
import Runtime
import Synchronization

/// A model whose prompts are kept, so that a fixture can say what must have reached it.
final class ObservedModel: LanguageModel {
    private let model: any LanguageModel
    private let kept = Mutex<(prompts: [Prompt], failures: [ModelError])>(([], []))

    init(_ model: any LanguageModel) {
        self.model = model
    }

    var name: String { model.name }
    var outlook: ModelOutlook { model.outlook }
    var price: TokenPrice { model.price }

    func generate(_ prompt: Prompt, by deadline: Deadline) async throws(ModelError) -> any Generation {
        kept.withLock { $0.prompts.append(prompt) }
        do throws(ModelError) {
            return try await model.generate(prompt, by: deadline)
        } catch {
            kept.withLock { $0.failures.append(error) }
            throw error
        }
    }

    /// The prompts and failures since they were last taken.
    func take() -> (prompts: [Prompt], failures: [ModelError]) {
        kept.withLock { kept in
            defer { kept = ([], []) }
            return kept
        }
    }
}

/// Stands in where neither the fixture nor the run provides a model: whoever asks is told so, and the sample is not judged.
struct UnscriptedModel: LanguageModel {
    static let reason = "the fixture scripts no model and the run has none"
    let name = "none"

    func generate(_ prompt: Prompt, by deadline: Deadline) async throws(ModelError) -> any Generation {
        throw .unreachable(reason: Self.reason)
    }
}
