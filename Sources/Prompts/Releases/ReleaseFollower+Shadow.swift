package import Conversation
import Runtime
import Synchronization

/// A candidate that answers unheard.
extension ReleaseFollower {
    /// How many unheard answers may be written at once; a turn beyond them is not shadowed.
    private static let mostShadows = 2
    /// How long an unheard answer may take: as long as a heard one.
    private static let shadowTime = Duration.seconds(5)

    /// Has the candidate answer a turn unheard, unless as many answers as may be are being written already.
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
