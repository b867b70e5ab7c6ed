import Conversation
import Foundation
import Prompts

/// `hearth prompts shadow`: has a bundle answer unheard.
enum ShadowBundle: PromptAction {
    static let name = "shadow"
    static let summary = "Have a bundle answer some turns unheard, beside the one in force."

    static func run(_ call: PromptCall) async throws(CommandFailure) -> ExitCode {
        try await TrialStart(.shadow).run(call)
    }
}
