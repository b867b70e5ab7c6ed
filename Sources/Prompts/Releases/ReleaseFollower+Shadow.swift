package import Conversation
import Runtime
import Synchronization

/// Runs a shadow candidate whose replies nobody hears.
extension ReleaseFollower {
    /// The maximum number of concurrent shadow replies; further turns are not shadowed.
    private static let mostShadows = 2
    /// The time limit of a shadow reply, equal to a normal reply's.
    private static let shadowTime = Duration.seconds(5)

    /// Lets the candidate answer a turn as a shadow, unless the limit of shadow replies is reached.
    package func shadow(_ turn: ShadowedTurn) {
        guard let trial = bundles.trial, trial.release.number == turn.place.release else { return }
        let mayRun = shadows.withLock { running in
            guard running < Self.mostShadows else { return false }
            running += 1
            return true
        }
        guard mayRun else { return metrics.shadows.add(1, "skipped") }
        Task {
            let signals = await turn.signals(of: trial.candidate, by: Deadline(after: Self.shadowTime))
            shadows.withLock { $0 -= 1 }
            metrics.shadows.add(1, signals.contains(.degraded) ? "degraded" : "done")
            note(TrialOutcome(turn.place, signals))
        }
    }
}
