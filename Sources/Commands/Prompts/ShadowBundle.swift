import Conversation
import Foundation
import Prompts

/// `hearth prompts shadow`: starts a shadow trial, in which a bundle answers turns but nobody receives its answers.
enum ShadowBundle: PromptAction {
    static let name = "shadow"
    static let summary = "Have a bundle answer some turns unheard, beside the one in force."

    static func run(_ call: PromptCall) async throws(CommandFailure) -> ExitCode {
        try await TrialStart(.shadow).run(call)
    }
}
