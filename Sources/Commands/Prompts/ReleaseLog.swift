import Conversation
import Prompts

/// `hearth prompts log`: prints the release history of an environment.
enum ReleaseLog: PromptAction {
    static let name = "log"
    static let summary = "Every change of --environment, the newest first: who, why, from, to, on which eval run."

    static func run(_ call: PromptCall) async throws(CommandFailure) -> ExitCode {
        guard let limit = Int(call.arguments.options["limit"] ?? "20"), (1...1_000).contains(limit) else {
            throw CommandFailure("--limit must be from 1 to 1000.", .usage)
        }
        return try await call.withReleases { desk in
            for release in try await desk.releases(limit: limit) {
                Terminal.out(ReleaseLine(release).text(asJSON: call.isJSON))
            }
            return .success
        }
    }
}
