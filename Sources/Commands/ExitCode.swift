/// What a command's exit tells a script.
package enum ExitCode: Int32, Sendable {
    /// It did what it was asked.
    case success = 0
    /// It could not do it; standard error says why.
    case failure = 1
    /// It was called wrongly.
    case usage = 2
    /// Something that it needs is missing; standard error says what brings it.
    case missing = 3
    /// The service answered that it refuses: unknown patient, bad key.
    case refused = 4
    /// It looked, and found what it looks for: an error, a difference, a failed assertion.
    case found = 10
    /// An evaluation is worse than its base.
    case regressed = 11
    /// An evaluation says nothing: too little was judged, or the runs cannot be compared.
    case inconclusive = 12
    /// A replayed evaluation met a request that was never recorded.
    case recordingMissing = 13
    /// An evaluation's samples could not be taken: a model or a file was away.
    case infrastructure = 14
    /// An evaluation reached the cost or the time that it may spend.
    case budgetSpent = 15
    /// Somebody stopped it.
    case interrupted = 130
}

/// A failure of a command as a sentence for the person at the terminal.
struct CommandFailure: Error {
    let sentence: String
    let exitCode: ExitCode

    init(_ sentence: String, _ exitCode: ExitCode = .failure) {
        self.sentence = sentence
        self.exitCode = exitCode
    }
}
