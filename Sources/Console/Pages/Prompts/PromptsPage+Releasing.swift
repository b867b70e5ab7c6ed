import Conversation
import Prompts

/// Release routes: promote, start a canary, end a trial, roll back. The rules are those of `hearth prompts`.
extension PromptsPage {
    var releasing: [ConsoleRoute] {
        [
            .post("/prompts/bundles/{bundle}/promote", .admin, action: "bundle_promote") {
                call async throws(ConsoleRefusal) in
                let bundle = try await bundle(call)
                return try await change(call, "why_promote") { author async throws(ReleaseRefusal) in
                    let made = try await parts.desk.promote(bundle.digest, by: author)
                    return (made.release, made.lockFailure)
                }
            },
            .post("/prompts/bundles/{bundle}/canary", .admin, action: "bundle_canary") {
                call async throws(ConsoleRefusal) in
                let bundle = try await bundle(call)
                guard let share = Double(call.form["share"]), share > 0, share <= 0.5 else {
                    throw .conflict("The share of patients must be over 0 and at most a half.")
                }
                let trial = Release.Trial(.canary, of: bundle.digest, share: share)
                return try await change(call, "why_canary") { author async throws(ReleaseRefusal) in
                    (try await parts.desk.begin(trial, by: author), nil)
                }
            },
            .post("/prompts/stop", .admin, action: "trial_stop") { call async throws(ConsoleRefusal) in
                try await change(call, "why_stop") { author async throws(ReleaseRefusal) in
                    let kind = try await parts.desk.newest()?.trial?.kind ?? .canary
                    return (try await parts.desk.end(kind, by: author), nil)
                }
            },
            .post("/prompts/rollback", .admin, action: "bundle_rollback") { call async throws(ConsoleRefusal) in
                try await change(call, "why_rollback") { author async throws(ReleaseRefusal) in
                    let chosen = call.form["bundle"]
                    let made = try await parts.desk.rollBack(to: chosen.isEmpty ? nil : chosen, by: author)
                    return (made.release, made.lockFailure)
                }
            },
        ]
    }

    /// Makes a release with author and reason, writes the audit entry, and applies it on this replica before the page
    /// is shown.
    private func change(
        _ call: ConsoleCall,
        _ field: String,
        _ make: (ReleaseAuthor) async throws(ReleaseRefusal) -> (release: Release, lock: PromptLockFile.Failure?)
    ) async throws(ConsoleRefusal) -> ConsoleAnswer {
        let reason = call.form[field]
        guard !reason.isEmpty else { throw .conflict("Say why; it is kept with the change.") }
        let author = ReleaseAuthor(call.operator.name, because: reason)
        let (release, lock) = try await asked { () async throws(ReleaseRefusal) in try await make(author) }
        try await call.note(
            "release_made",
            [
                "release": "\(release.number)", "environment": release.environment, "bundle": release.bundle,
                "why": release.reason,
            ]
        )
        await parts.catchUp()
        let unlocked = lock.map { " The lock does not say so: \($0)." } ?? ""
        let made = "\(ReleaseWords.action(release.action)), \(release.bundle.prefix(12)) is in force"
        let notice = "Change \(release.number) is made: \(made).\(unlocked)"
        return .redirect(ConsolePath("prompts"), notice: notice)
    }
}
