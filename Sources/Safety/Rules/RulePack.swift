package import Conversation

/// Rules that are written, compiled and replaced together.
package struct RulePack: Sendable {
    /// The speaker whose words the rules screen.
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
    let owners: [Owner]
    /// True if a rule fires on any text.
    let hasOpenRule: Bool
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
