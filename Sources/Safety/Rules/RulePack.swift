package import Conversation

/// Rules that are written, compiled and replaced together.
///
/// An object, since each text that is screened goes through all packs, and a pack has many parts to copy.
package final class RulePack: Sendable {
    /// Whose words the rules are for.
    package enum Use: String, Sendable, CaseIterable {
        /// A patient's.
        case input
        /// A model's.
        case output
    }

    /// Who owns a pattern of the pack's set.
    enum Owner: Sendable {
        case rule(Int)
        case signal(Int)
    }

    /// The pack's name, which begins its rules' identities.
    package let name: String
    /// The language of its rules: "en" or "es".
    package let language: String
    /// Whose words they are for.
    package let use: Use
    /// The rules, in the order of the file.
    package let rules: [Rule]
    /// The lines that replace a reply, by their names; only packs for output have them.
    package let lines: [String: ReplacementLine]
    let signals: [String]
    let patterns: PatternSet
    /// The grounds on which any of its rules holds; nil where one holds everywhere.
    let grounds: Set<Ground>?
    /// Whether its rules hold only for models that are not trusted.
    let isStrictOnly: Bool
    /// Whether a rule for words that send for emergency help holds on some grounds or in one posture only.
    let hasConditionalEmergency: Bool
    let owners: [Owner]
    /// Whether it has a rule that fires on whatever is said.
    let hasOpenRule: Bool

    init(
        name: String,
        language: String,
        use: Use,
        rules: [Rule],
        lines: [String: ReplacementLine],
        signals: [String],
        patterns: PatternSet,
        isStrictOnly: Bool,
        owners: [Owner]
    ) {
        self.name = name
        self.language = language
        self.use = use
        self.rules = rules
        self.lines = lines
        self.signals = signals
        self.patterns = patterns
        self.isStrictOnly = isStrictOnly
        self.owners = owners
        grounds = rules.contains { $0.grounds.isEmpty } ? nil : rules.reduce(into: []) { $0.formUnion($1.grounds) }
        hasConditionalEmergency = rules.contains { rule in
            guard case .verdict(.emergency, _) = rule.consequence else { return false }
            return isStrictOnly || !rule.grounds.isEmpty
        }
        hasOpenRule = rules.contains(where: \.conditions.isEmpty)
    }
}

/// A rule that fired, with what its clause says about it.
package struct RuleMatch: Sendable {
    /// The rule.
    package let rule: Rule
    /// The words that it rests on.
    package let words: Range<Int>
    /// The circumstances that were seen, whether the rule respects them or not.
    package let guards: Set<Guard>
    /// The rule's level after the guards that it respects; for output rules ``Level/none`` means that it does not hold.
    package let level: Level
    /// How sure it is, from 0 to 1.
    package let confidence: Double
}
