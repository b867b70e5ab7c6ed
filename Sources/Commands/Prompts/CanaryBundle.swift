import Conversation
import Foundation
import Prompts

/// `hearth prompts canary`: starts a canary of a bundle on a share of the patients.
enum CanaryBundle: PromptAction {
    static let name = "canary"
    static let summary =
        "Answer some patients with a bundle that an eval run has passed; it goes back by itself when it is worse."

    static func run(_ call: PromptCall) async throws(CommandFailure) -> ExitCode {
        try await TrialStart(.canary).run(call)
    }
}
