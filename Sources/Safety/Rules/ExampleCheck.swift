import Conversation

/// Checks a pack's examples: each rule fires at its full level on its positives and on no trap.
struct ExampleCheck {
    private let pack: RulePack
    private let cues: CueBook
    private let normaliser = Normaliser()

    init(_ pack: RulePack, _ cues: CueBook) {
        self.pack = pack
        self.cues = cues
    }

    /// - Throws: All examples that failed.
    func run() throws(RulePackError) {
        let failures = pack.rules.flatMap(failures)
        guard let first = failures.first else { return }
        throw failures.count == 1 ? first : .several(failures)
    }

    private func failures(of rule: Rule) -> [RulePackError] {
        let missed = rule.positives.filter { level(of: rule, on: $0) != rule.level }
        let fired = rule.traps.filter { (level(of: rule, on: $0) ?? .none) > .none }
        return missed.map { .failingExample(at: $0.position, rule: rule.id, text: $0.text) }
            + fired.map { .firingTrap(at: $0.position, rule: rule.id, text: $0.text) }
    }

    /// The level at which a rule fires; nil when it does not fire.
    private func level(of rule: Rule, on example: Rule.Example) -> Level? {
        let text = normaliser.normalise(example.text)
        return pack.matches(in: text, ClauseReading(of: text, with: cues))?.first { $0.rule.id == rule.id }?.level
    }
}
