import Conversation
import Foundation
import Prompts

/// `hearth prompts rollback`: the bundle before the one in force, or an earlier one.
enum RollbackBundle: PromptAction {
    static let name = "rollback"
    static let summary = "Put the bundle before, or --bundle, in force again on every replica, and end a trial."
    private static let depth = 200

    static func run(_ call: PromptCall) async throws(CommandFailure) -> ExitCode {
        let reason = try call.reason()
        return try await call.withReleases { desk in
            let releases = try await desk.releases(limit: depth)
            guard let last = releases.first else {
                throw CommandFailure("\(call.environment) has no release.", .refused)
            }
            let target = try target(releases, last, call)
            let release = ReleaseChange.rollback(
                to: target,
                after: last,
                at: Date(),
                by: call.actor,
                because: reason
            )
            try await desk.append(release)
            if let run = releases.first(where: { $0.bundle == target && $0.run != nil && $0.trial == nil })?.run {
                try LockKeeper(call).write(PromptLock.Entry(bundle: target, run: run, suite: nil))
            }
            Terminal.out(ReleaseLine(release).text(asJSON: call.isJSON))
            return .success
        }
    }

    /// The bundle that was in force before the one that is; with a trial, ending the trial is going back.
    private static func target(_ releases: [Release], _ last: Release, _ call: PromptCall) throws -> String {
        if let start = call.arguments.options["bundle"] {
            guard let known = releases.first(where: { $0.bundle.hasPrefix(start) }) else {
                throw CommandFailure("\(start) was never in force in \(call.environment).", .refused)
            }
            return known.bundle
        }
        if last.trial != nil { return last.bundle }
        guard let earlier = releases.first(where: { $0.bundle != last.bundle }) else {
            throw CommandFailure("\(call.environment) has had no other bundle.", .refused)
        }
        return earlier.bundle
    }
}
