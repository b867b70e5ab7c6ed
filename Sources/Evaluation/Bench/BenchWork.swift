/// Something that is tried on the bench.
package enum BenchWork: Sendable {
    /// Puts two bundles side by side on some fixtures.
    case sideBySide([Fixture], old: EvaluationParts, new: EvaluationParts, mode: RunMode)
    /// Takes a whole run, writes its file and leaves what it found beside it.
    case run(BenchRun)
    /// Has a bundle answer a turn that another one has answered.
    case replay(TurnReplay)

    /// How many samples it takes.
    var total: Int {
        switch self {
        case .sideBySide(let fixtures, _, _, _): fixtures.count * 2
        case .run(let run): run.samples
        case .replay: 1
        }
    }
}

/// What came of work on the bench.
package enum BenchOutcome: Sendable {
    /// Two bundles side by side.
    case sideBySide(SideBySide)
    /// What a whole run found.
    case run(RunFinding)
    /// A turn as another bundle would answer it.
    case replay(ReplayedTurn)
    /// It could not be done; a sentence for the operator.
    case failed(String)
}
