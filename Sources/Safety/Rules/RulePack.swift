package import Conversation

/// Rules that are written, compiled and replaced together.
package struct RulePack: Sendable {
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
    let owners: [Owner]
    /// Whether it has a rule that fires on whatever is said.
    let hasOpenRule: Bool
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
