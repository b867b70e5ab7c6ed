import Conversation
import Domain
import Foundation
import Safety
import Testing

/// Precision and recall of each rule on sentences that are not its own.
struct RuleMeasurementTests {
    private static let rules = """
          - id: fire
            category: environment
            level: critical
            guards: [negation]
            patterns: ["on fire"]
            positives: [The house is on fire.]
            traps: [The house is not on fire.]
          - id: smoke
            category: environment
            level: high
            guards: [negation]
            patterns: ["smoke"]
            positives: [There is smoke on fire in here.]
            traps: [I never smoke.]
          - id: fell
            category: fall
            level: high
            guards: [negation]
            patterns: ["fell"]
            positives: [I fell.]
            traps: [My show about people on fire never fell in the ratings.]
        """

    private func figures(_ exemplars: [Exemplar] = []) throws -> [String: RuleStatistics] {
        var figures: [String: RuleStatistics] = [:]
        try ScratchRules.with { rules in
            try rules.write(ScratchRules.pack(Self.rules), to: "home.yaml")
            figures = RuleMeasurement(try rules.book(), exemplars).figures()
        }
        return figures
    }

    private func exemplar(_ text: String, _ category: Domain.Category?) -> Exemplar {
        Exemplar(group: "g", category: category, level: category == nil ? .none : .high, text: text)
    }

    @Test func `a rule is held against the other rules' examples and never against its own`() throws {
        let fire = try #require(try figures()["home.fire"])
        #expect(fire.recall == Proportion(1, of: 1), "smoke's positive tells of the same category")
        #expect(fire.precision == Proportion(1, of: 2), "it fires on the trap of another rule")
        #expect(fire.wrong == ["My show about people on fire never fell in the ratings."])
        let fell = try #require(try figures()["home.fell"])
        #expect(fell.recall == Proportion(0, of: 0) && fell.precision == Proportion(0, of: 0))
    }

    @Test func `exemplars of its category count for it and those of others against it`() throws {
        let exemplars = [
            exemplar("The kitchen is on fire", .environment), exemplar("The wires are sparking", .environment),
            exemplar("My cheeks are on fire", nil), exemplar("He fell on the stairs", .fall),
        ]
        let fire = try #require(try figures(exemplars)["home.fire"])
        #expect(fire.recall == Proportion(2, of: 3))
        #expect(fire.precision == Proportion(2, of: 4))
        #expect(fire.wrong.contains("My cheeks are on fire"))
        #expect(try figures(exemplars)["home.fell"]?.recall == Proportion(1, of: 1))
    }

    @Test func `a guard that holds is not a hit`() throws {
        let fell = try #require(try figures([exemplar("I never fell", nil)])["home.fell"])
        #expect(fell.precision == Proportion(0, of: 0))
    }

    @Test func `every rule that comes with the service has figures`() throws {
        let book = try RuleSet(folder: RulesFolder.path)
        let exemplars = try ExemplarReader(folder: RulesFolder.root.appending(path: "prompts/exemplars").path).exemplars
        let figures = RuleMeasurement(book, exemplars).figures()
        #expect(Set(figures.keys) == Set(book.packs.flatMap(\.rules).map(\.id)))
        #expect(figures.values.contains { $0.precision.total >= RuleStatistics.fewest })
        let input = book.packs.filter { $0.use == .input && $0.language == "en" }.flatMap(\.rules)
        let precise = input.compactMap { figures[$0.id]?.precision }.filter { $0.total >= RuleStatistics.fewest }
        let sum = Proportion(precise.reduce(0) { $0 + $1.count }, of: precise.reduce(0) { $0 + $1.total })
        #expect(sum.value > 0.5, "the rules are mostly right where they fire: \(sum.count) of \(sum.total)")
    }
}
