import Conversation
import Prompts

/// `hearth prompts reload`: has replicas read their folder again, where the system tells them of no change.
enum ReloadPrompts: PromptAction {
    static let name = "reload"
    static let summary =
        "Have every replica of --environment read its folder again, which it does by itself on a change."

    static func run(_ call: PromptCall) async throws(CommandFailure) -> ExitCode {
        try await call.withReleases { desk in
            try await desk.announceReload()
            return .success
        }
    }
}
