import Conversation
import Foundation
import Prompts

/// Begins a trial, or ends the one that runs.
struct TrialStart: Sendable {
    private let kind: Release.Trial.Kind
    private let needsRun: Bool

    /// - Parameter needsRun: Whether patients hear the candidate, so that an eval run must have passed on it.
    init(_ kind: Release.Trial.Kind, needsRun: Bool) {
        self.kind = kind
        self.needsRun = needsRun
    }

    func run(_ call: PromptCall) async throws(CommandFailure) -> ExitCode {
        let reason = try call.reason()
        let share = try call.share()
        return try await call.withReleases { desk in
            guard let last = try await desk.newest() else {
                throw CommandFailure("\(call.environment) has no release to try another beside; promote one.", .refused)
            }
            let release =
                call.arguments.flags.contains("stop")
                ? try stop(last, call, reason) : try await start(last, call, desk, share, reason)
            try await desk.append(release)
            Terminal.out(ReleaseLine(release).text(asJSON: call.isJSON))
            return .success
        }
    }

    private func stop(_ last: Release, _ call: PromptCall, _ reason: String) throws -> Release {
        guard last.trial?.kind == kind else {
            throw CommandFailure("No \(kind.rawValue) runs in \(call.environment).", .refused)
        }
        return ReleaseChange.stop(after: last, at: Date(), by: call.actor, because: reason)
    }

    private func start(
        _ last: Release,
        _ call: PromptCall,
        _ desk: ReleaseDesk,
        _ share: Double,
        _ reason: String
    ) async throws -> Release {
        guard last.trial == nil else {
            throw CommandFailure("A trial runs in \(call.environment) already; end it with --stop.", .refused)
        }
        let candidate = try await CandidateBundle(call, desk)
        guard candidate.digest != last.bundle else {
            throw CommandFailure("The bundle \(candidate.digest.prefix(12)) is in force already.", .refused)
        }
        let run = needsRun ? try candidate.justification(call).id : nil
        return ReleaseChange.trial(
            Release.Trial(kind, of: candidate.digest, share: share),
            after: last,
            at: Date(),
            by: call.actor,
            because: reason,
            run: run
        )
    }
}
