import Conversation
import Foundation
import Prompts

/// `hearth prompts promote`: puts a bundle in force that an eval run has passed.
enum PromoteBundle: PromptAction {
    static let name = "promote"
    static let summary =
        "Put the folder's bundle, or a stored one, in force in --environment; needs a passing eval run."

    static func run(_ call: PromptCall) async throws(CommandFailure) -> ExitCode {
        let reason = try call.reason()
        return try await call.withReleases { desk in
            let candidate = try await CandidateBundle(call, desk)
            let run = try candidate.justification(call)
            let release = ReleaseChange.promote(
                candidate.digest,
                in: call.environment,
                after: try await desk.newest(),
                at: Date(),
                by: call.actor,
                because: reason,
                run: run.id
            )
            try await desk.append(release)
            let entry = PromptLock.Entry(bundle: candidate.digest, run: run.id, suite: run.suite)
            try LockKeeper(call).write(entry)
            Terminal.out(ReleaseLine(release).text(asJSON: call.isJSON))
            return .success
        }
    }
}
