import Domain
import Runtime

/// Replaces a missing model: it fails every call, so that the sample is not judged.
struct UnscriptedModel: LanguageModel {
    static let reason = "the fixture scripts no model and the run has none"
    let name = "none"

    func generate(_ prompt: Prompt, by deadline: Deadline) async throws(ModelError) -> any Generation {
        throw .unreachable(reason: Self.reason)
    }
}
