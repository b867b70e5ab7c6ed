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
    /// It looked, and found what it looks for: an error, a difference.
    case found = 10
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
