import Evaluation

/// Selects the fixtures that a command line names.
enum FixtureSelection {
    /// Every fixture of the files and folders that the command line names; those that a promotion asks for when it names none.
    ///
    /// Warns of keys that the service does not use.
    static func all(_ arguments: EvalsArguments, _ settings: Settings) throws(CommandFailure) -> [Fixture] {
        do throws(FixtureError) {
            guard !arguments.words.isEmpty else { return try PromotionSuite(settings).fixtures() }
            let messages = (arguments.text("message") ?? "message").split(separator: ",").map(String.init)
            let suites = try SuiteFiles(messages: messages).suites(arguments.words)
            for suite in suites { if let warning = suite.warning { Terminal.error(warning) } }
            return suites.flatMap(\.fixtures)
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// Fixtures that the options select.
    static func chosen(_ fixtures: [Fixture], _ arguments: EvalsArguments) throws(CommandFailure) -> [Fixture] {
        var filter = FixtureFilter(limit: try arguments.count("limit"))
        filter.patterns = arguments.text("filter").map { $0.split(separator: ",").map(String.init) } ?? []
        if let text = arguments.text("shard") {
            guard let shard = FixtureFilter.Shard(text) else { throw CommandFailure("--shard must be such as 1/4.") }
            filter.shard = shard
        }
        if let path = arguments.text("failed") {
            let run = try RunReading.summary(path)
            filter.identities = Set(run.tally.entries.values.filter { $0.outcome != .pass }.map(\.fixture))
        }
        return filter.chosen(fixtures)
    }
}
