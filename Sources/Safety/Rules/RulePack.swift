package import Conversation

/// Rules that are written, compiled and replaced together.
///
/// An object, since each text that is screened goes through all packs, and a pack has many parts to copy.
package final class RulePack: Sendable {
    /// Whose words the rules are for.
    package enum Use: String, Sendable, CaseIterable {
        /// The patient.
        case input
        /// The model.
        case output
    }

    /// The owner of a pattern in the pack's set.
    enum Owner: Sendable {
        case rule(Int)
        case signal(Int)
    }

    /// The pack's name, which begins its rules' names.
    package let name: String
    /// The language of the rules: "en" or "es".
    package let language: String
    /// The speaker whose words the rules screen.
    package let use: Use
    /// The rules in file order.
    package let rules: [Rule]
    /// The lines that replace a reply, by name; only output packs have them.
    package let lines: [String: ReplacementLine]
    let signals: [String]
    let patterns: PatternSet
    /// The restricted topics of all rules; nil when a rule applies to every topic.
    let grounds: Set<Ground>?
    /// True if its rules apply only to untrusted models.
    let isStrictOnly: Bool
    /// Whether a rule for words that send for emergency help holds on some grounds or in one posture only.
    let hasConditionalEmergency: Bool
    let owners: [Owner]
    /// True if a rule fires on any text.
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

/// A rule that fired, with its guards.
package struct RuleMatch: Sendable {
    /// The rule.
    package let rule: Rule
    /// The matched words.
    package let words: Range<Int>
    /// The guards found, including those that the rule ignores.
    package let guards: Set<Guard>
    /// The level after the rule's guards; for output rules ``Level/none`` means no match.
    package let level: Level
    /// The confidence, from 0 to 1.
    package let confidence: Double
}
