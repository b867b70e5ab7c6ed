/// Work for the evaluation bench.
package enum BenchWork: Sendable {
    /// Compares two bundles on some fixtures.
    case sideBySide([Fixture], old: EvaluationParts, new: EvaluationParts, mode: RunMode)
    /// Takes a whole run; writes its file and its finding.
    case run(BenchRun)
    /// Answers a past turn with another bundle.
    case replay(TurnReplay)

    /// Number of samples.
    var total: Int {
        switch self {
        case .sideBySide(let fixtures, _, _, _): fixtures.count * 2
        case .run(let run): run.samples
        case .replay: 1
        }
    }
}

/// Outcome of work on the evaluation bench.
package enum BenchOutcome: Sendable {
    /// Comparison of two bundles.
    case sideBySide(SideBySide)
    /// Finding of a whole run.
    case run(RunFinding)
    /// A turn as another bundle would answer it.
    case replay(ReplayedTurn)
    /// The work failed; carries a message for the operator.
    case failed(String)
}
