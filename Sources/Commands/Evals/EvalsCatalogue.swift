import Conversation
import Evaluation
import Foundation
import Runtime
import Safety

/// Actions of `hearth evals` that only read fixtures: list and lint.
struct EvalsCatalogue: Sendable {
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
            Terminal.error("\(fixtures.count) fixtures; the rules are held against those that a promotion asks for")
            return .success
        }
        let safety = try SafetyParts.make(settings, space: nil, log: Log(to: StandardErrorSink(), minimum: .error))
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
        for rule in uncovered { Terminal.out("\(rule): no fixture that asserts scam-flag makes it fire") }
        if negatives == 0 { Terminal.out("no fixture asserts not-scam-flag") }
        Terminal.error("\(fixtures.count) fixtures, \(rules.count) rules for scams, \(negatives) ordinary turns")
        return uncovered.isEmpty && negatives > 0 ? .success : .found
    }
}
