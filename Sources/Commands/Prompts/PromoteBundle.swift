import Conversation
import Foundation
import Prompts

/// `hearth prompts promote`: activates a bundle that an eval run has passed.
enum PromoteBundle: PromptAction {
    static let name = "promote"
    static let summary =
        "Put the folder's bundle, or a stored one, in force in --environment; needs an eval run that passed on it and on all fixtures that are asked for."

    static func run(_ call: PromptCall) async throws(CommandFailure) -> ExitCode {
        let author = try call.author()
        return try await call.withReleases { desk in
            let candidate = try await CandidateBundle(call, desk)
            let run = call.arguments.options["run"]
            return try call.show(try await desk.promote(candidate.digest, run: run, by: author))
        }
    }
}
