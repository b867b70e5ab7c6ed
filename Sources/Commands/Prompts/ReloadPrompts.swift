import Conversation
import Prompts

/// `hearth prompts reload`: makes replicas read their folder again, for file systems without change notification.
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
