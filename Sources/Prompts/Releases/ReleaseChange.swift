package import Conversation
package import Foundation

/// Makes the release that follows another one.
package enum ReleaseChange {
    /// The actor's name when a trial ends itself.
    package static let canaryActor = "canary"
    private static let longestReason = 1_000

    /// Activates a bundle and ends a running trial.
    package static func promote(
        _ bundle: String,
        in environment: String,
        after last: Release?,
        at date: Date,
        by actor: String,
        because reason: String,
        run: String
    ) -> Release {
        next(environment, last, at: date, .promote, bundle, nil, actor, reason, run)
    }

    /// Begins a trial of a bundle.
    package static func trial(
        _ trial: Release.Trial,
        after last: Release,
        at date: Date,
        by actor: String,
        because reason: String,
        run: String?
    ) -> Release {
        let action: Release.Action = trial.kind == .canary ? .canary : .shadow
        return next(last.environment, last, at: date, action, last.bundle, trial, actor, reason, run)
    }

    /// Ends a trial.
    package static func stop(after last: Release, at date: Date, by actor: String, because reason: String) -> Release {
        next(last.environment, last, at: date, .stop, last.bundle, nil, actor, reason, nil)
    }

    /// Returns to an earlier bundle and ends a running trial.
    package static func rollback(
        to bundle: String,
        after last: Release,
        at date: Date,
        by actor: String,
        because reason: String
    ) -> Release {
        next(last.environment, last, at: date, .rollback, bundle, nil, actor, reason, nil)
    }

    /// Ends a trial because of its evidence.
    package static func rollback(of trial: Release, at date: Date, because reason: String) -> Release {
        rollback(to: trial.bundle, after: trial, at: date, by: canaryActor, because: reason)
    }

    private static func next(
        _ environment: String,
        _ last: Release?,
        at date: Date,
        _ action: Release.Action,
        _ bundle: String,
        _ trial: Release.Trial?,
        _ actor: String,
        _ reason: String,
        _ run: String?
    ) -> Release {
        Release(
            environment: environment,
            number: (last?.number ?? 0) + 1,
            at: date,
            action,
            bundle: bundle,
            previous: last?.bundle,
            trial: trial,
            actor: actor,
            reason: String(reason.prefix(longestReason)),
            run: run
        )
    }
}
