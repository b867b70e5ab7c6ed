/// A subcommand of `hearth`.
protocol Command: Sendable {
    /// Name on the command line.
    static var name: String { get }
    /// One-line description.
    static var summary: String { get }
    /// Options of the command that take a value, with their descriptions.
    static var options: [(name: String, summary: String)] { get }
    /// Flags of the command, with their descriptions.
    static var flags: [(name: String, summary: String)] { get }
    /// Positional arguments as the help shows them: `"TEXT"`.
    static var words: String { get }

    /// Runs the command.
    ///
    /// - Throws: ``CommandFailure`` with a sentence for the person at the terminal.
    static func run(_ arguments: Arguments, _ settings: Settings) async throws(CommandFailure) -> ExitCode
}

extension Command {
    static var options: [(name: String, summary: String)] { [] }
    static var flags: [(name: String, summary: String)] { [] }
    static var words: String { "" }
}
