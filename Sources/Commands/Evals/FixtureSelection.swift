import Evaluation

/// Selects the fixtures that a command line names.
enum FixtureSelection {
    /// All fixtures of the files and folders; the promotion suite if none are named.
    static func all(_ paths: [String], _ settings: Settings) throws(CommandFailure) -> [Fixture] {
        do throws(FixtureError) {
            return try paths.isEmpty ? PromotionSuite(settings).fixtures() : SuiteFiles().fixtures(paths)
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
