package import Conversation
import Foundation

/// Who changes what is in force, and why: both are kept with the release.
package struct ReleaseAuthor: Sendable, Equatable {
    /// Who.
    package let actor: String
    /// Why; the first 1,000 characters are kept.
    package let reason: String

    /// Names an author.
    package init(_ actor: String, because reason: String) {
        self.actor = actor
        self.reason = reason
    }
}

/// The changes that an operator makes.
extension ReleaseDesk {
    /// How many releases back an earlier bundle is looked for.
    private static let depth = 200

    /// Puts a stored bundle in force that an eval run has passed; a trial ends with it.
    ///
    /// - Parameter run: The run that justifies it; nil for the newest that passed on exactly these files.
    package func promote(
        _ digest: String,
        run: String? = nil,
        by author: ReleaseAuthor
    ) async throws(ReleaseRefusal) -> JustifiedRelease {
        let run = try await justification(of: digest, run: run)
        let release = ReleaseChange.promote(
            digest,
            in: environment,
            after: try await newest(),
            at: Date(),
            by: author.actor,
            because: author.reason,
            run: run.id
        )
        let made = try await append(release)
        let entry = PromptLock.Entry(bundle: digest, run: run.id, suite: run.suite)
        return JustifiedRelease(release: made, run: run.id, lockFailure: try await lock(entry))
    }

    /// Begins to try a stored bundle beside the one in force.
    ///
    /// Patients hear a canary, so that an eval run must have passed on it; nobody hears a shadow.
    package func begin(
        _ trial: Release.Trial,
        run: String? = nil,
        by author: ReleaseAuthor
    ) async throws(ReleaseRefusal) -> Release {
        let last = try await triable()
        guard trial.bundle != last.bundle else { throw .inForce(bundle: trial.bundle) }
        let justification: EvalRun? =
            trial.kind == .canary ? try await justification(of: trial.bundle, run: run) : nil
        let release = ReleaseChange.trial(
            trial,
            after: last,
            at: Date(),
            by: author.actor,
            because: author.reason,
            run: justification?.id
        )
        return try await append(release)
    }

    /// The newest release, beside which a trial may begin.
    package func triable() async throws(ReleaseRefusal) -> Release {
        guard let last = try await newest() else { throw .noRelease(environment: environment) }
        guard last.trial == nil else { throw .trialRuns(environment: environment) }
        return last
    }

    /// Ends the trial that runs.
    package func end(_ kind: Release.Trial.Kind, by author: ReleaseAuthor) async throws(ReleaseRefusal) -> Release {
        guard let last = try await newest(), last.trial?.kind == kind else {
            throw .noTrial(kind, environment: environment)
        }
        return try await append(
            ReleaseChange.stop(after: last, at: Date(), by: author.actor, because: author.reason)
        )
    }

    /// The changes of the environment, as they decide where one may go back to.
    package func history() async throws(ReleaseRefusal) -> ReleaseHistory {
        ReleaseHistory(try await releases(limit: Self.depth))
    }

    /// Puts an earlier bundle in force again, never one that was rolled back; with a trial, ending it is going back.
    ///
    /// - Parameter start: The first digits of a bundle that was in force; nil for the one before.
    package func rollBack(
        to start: String? = nil,
        by author: ReleaseAuthor
    ) async throws(ReleaseRefusal) -> JustifiedRelease {
        let releases = try await releases(limit: Self.depth)
        guard let last = releases.first else { throw .noRelease(environment: environment) }
        let target =
            last.trial != nil && last.bundle.hasPrefix(start ?? "")
            ? last.bundle : try ReleaseHistory(releases).target(start, in: environment)
        let release = ReleaseChange.rollback(
            to: target,
            after: last,
            at: Date(),
            by: author.actor,
            because: author.reason
        )
        let run = releases.first { $0.bundle == target && $0.run != nil && $0.trial == nil }?.run
        let made = try await append(release)
        guard let run else { return JustifiedRelease(release: made, run: nil, lockFailure: nil) }
        let entry = PromptLock.Entry(bundle: target, run: run, suite: nil)
        return JustifiedRelease(release: made, run: run, lockFailure: try await lock(entry))
    }

    /// Puts a release in the record, from where every replica takes it.
    private func append(_ release: Release) async throws(ReleaseRefusal) -> Release {
        let isFirst = try await asked { () async throws(RecordsError) in
            try await records.append(release, by: deadline)
        }
        guard isFirst else { throw .raced(environment: environment) }
        return release
    }
}
