import Conversation
import Foundation
import Prompts

/// Starts a trial, or ends the running one.
struct TrialStart: Sendable {
    private let kind: Release.Trial.Kind

    init(_ kind: Release.Trial.Kind) {
        self.kind = kind
    }

    func run(_ call: PromptCall) async throws(CommandFailure) -> ExitCode {
        let author = try call.author()
        let share = try call.share()
        return try await call.withReleases { desk in
            let release =
                call.arguments.flags.contains("stop")
                ? try await desk.end(kind, by: author) : try await begin(call, desk, share, author)
            Terminal.out(ReleaseLine(release).text(asJSON: call.isJSON))
            return .success
        }
    }

    private func begin(
        _ call: PromptCall,
        _ desk: ReleaseDesk,
        _ share: Double,
        _ author: ReleaseAuthor
    ) async throws -> Release {
        _ = try await desk.triable()
        let candidate = try await CandidateBundle(call, desk)
        return try await desk.begin(
            Release.Trial(kind, of: candidate.digest, share: share),
            run: call.arguments.options["run"],
            by: author
        )
    }
}
