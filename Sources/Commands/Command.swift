/// One subcommand of `hearth`.
protocol Command: Sendable {
    /// Its name on the command line.
    static var name: String { get }
    /// What it does, in a line.
    static var summary: String { get }
    /// Its own options that take a value, with what they are for.
    static var options: [(name: String, summary: String)] { get }
    /// Its own flags, with what they are for.
    static var flags: [(name: String, summary: String)] { get }
    /// What its words mean, as help shows it: `"TEXT"`.
    static var words: String { get }

    /// Does it.
    ///
    /// - Throws: ``CommandFailure`` with a sentence for the person at the terminal.
    static func run(_ arguments: Arguments, _ settings: Settings) async throws(CommandFailure) -> ExitCode
}

extension Command {
    static var options: [(name: String, summary: String)] { [] }
    static var flags: [(name: String, summary: String)] { [] }
    static var words: String { "" }
}
