import Conversation
import Domain
import Evaluation
import Foundation
import Prompts
import Runtime
import Safety

/// Actions of `hearth evals` that only read fixtures: list and lint.
struct EvalsFixtureActions: Sendable {
    private let arguments: EvalsArguments
    private let settings: Settings

    init(_ arguments: EvalsArguments, _ settings: Settings) {
        self.arguments = arguments
        self.settings = settings
    }

    /// Prints the selected fixtures.
    func list() throws(CommandFailure) -> ExitCode {
        let fixtures = try FixtureSelection.chosen(FixtureSelection.all(arguments, settings), arguments)
        for fixture in fixtures {
            Terminal.out("\(fixture.id)  \(fixture.suite)  \(fixture.severity.rawValue)  \(fixture.title)")
        }
        Terminal.error("\(fixtures.count) fixtures")
        return .success
    }

    /// Reads every fixture, and names the scam rules whose loss the promotion suite would not notice.
    ///
    /// Each rule needs a fixture in which it fires and that asserts the flag. The pack also needs fixtures that assert
    /// no flag.
    ///
    /// Without them a rule could break, or fire on everything, while all fixtures pass. Other suites need not cover the
    /// rules; they are only read.
    func lint() throws(CommandFailure) -> ExitCode {
        let fixtures = try FixtureSelection.all(arguments, settings)
        let demanded = try? PromotionSuite(settings).digest().get()
        let isWhole = arguments.words.isEmpty || demanded == RunHeader.suite(of: fixtures)
        guard isWhole else {
            Terminal.error("\(fixtures.count) fixtures; rule coverage is checked on the promotion suite")
            return .success
        }
        let safety = try SafetyAssembly.make(settings, spaces: nil, log: Log(to: StandardErrorSink(), minimum: .error))
        var (positive, negatives): (Set<String>, Int) = ([], 0)
        for turn in fixtures.flatMap(\.turns) {
            guard let flag = turn.assertions.first(where: { $0.type == "scam-flag" }) else { continue }
            if flag.isNegated {
                negatives += 1
            } else {
                positive.formUnion(safety.screen.screen(turn.said).findings.filter { $0.level > .none }.map(\.rule))
            }
        }
        let rules = safety.packs.filter { $0.name.hasPrefix("scam") || $0.name.hasPrefix("estafa") }.flatMap(\.rules)
        let uncovered = rules.map(\.id).filter { !positive.contains($0) }
        for rule in uncovered { Terminal.out("\(rule): does not fire in any fixture that asserts scam-flag") }
        if negatives == 0 { Terminal.out("no fixture asserts not-scam-flag") }
        Terminal.error("\(fixtures.count) fixtures, \(rules.count) rules for scams, \(negatives) ordinary turns")
        return uncovered.isEmpty && negatives > 0 ? .success : .found
    }
}

/// Selects the fixtures that a command line names.
enum FixtureSelection {
    /// Fixtures of the files and folders on the command line, or else those that a promotion requires.
    ///
    /// Warns of ignored keys.
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
            let run = try RunReports.summary(path)
            filter.identities = Set(run.tally.entries.values.filter { $0.outcome != .pass }.map(\.fixture))
        }
        return filter.chosen(fixtures)
    }
}

/// Fixtures that a promotion requires: the suites named in the lock file, otherwise the folder of fixtures.
///
/// Blocks on the disk.
struct PromotionSuite: Sendable {
    private let folder: String
    private let lock: PromptLockFile

    init(_ settings: Settings) {
        folder = settings.folder(.fixturesFolder)
        lock = BundleLoader.lock(settings)
    }

    /// Files and folders that `hearth evals run` uses if none are named.
    func paths() throws(FixtureError) -> [String] {
        do throws(PromptLockFile.Failure) {
            let suites = try lock.lock().suites
            return suites.isEmpty ? [folder] : suites.map { $0 == "." ? folder : "\(folder)/\($0)" }
        } catch {
            throw .unreadable(path: PromptLock.name, reason: "\(error)")
        }
    }

    /// Reads the fixtures.
    @Sendable func fixtures() throws(FixtureError) -> [Fixture] { try SuiteFiles().fixtures(try paths()) }

    /// Digest of the fixtures' inputs and assertions.
    @Sendable func digest() -> Result<String, UnreadableSuite> {
        Result { () throws(FixtureError) in RunHeader.suite(of: try fixtures()) }
            .mapError { UnreadableSuite(reason: "\($0)") }
    }
}
