import Conversation
import Foundation
import Prompts

/// `hearth prompts rollback`: activates the previous bundle, or an earlier one.
enum RollbackBundle: PromptAction {
    static let name = "rollback"
    static let summary =
        "Put the bundle before, or --bundle, in force again on every replica, never one that was rolled back; ends a trial."

    static func run(_ call: PromptCall) async throws(CommandFailure) -> ExitCode {
        let author = try call.author()
        return try await call.withReleases { desk in
            try call.show(try await desk.rollBack(to: call.arguments.options["bundle"], by: author))
        }
    }
}
