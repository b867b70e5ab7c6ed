import Conversation
import Runtime

/// Stands in where no model is set: whoever asks is told so.
struct AbsentModel: LanguageModel {
    let name = "none"

    func generate(_ prompt: Prompt, by deadline: Deadline) async throws(ModelError) -> any Generation {
        throw .unreachable(reason: "no model is set")
    }
}
