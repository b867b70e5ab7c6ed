package import Conversation
package import YAML

/// One thing to look for, and what finding it means.
package struct Rule: Sendable {
    /// What happens when a rule could not be weighed because the text was hostile.
    package enum FailPosture: String, Sendable, CaseIterable {
        /// It counts as found.
        case alert
        /// It counts as not found.
        case open
    }

    /// What an output rule does to the sentence.
    package enum Action: String, Sendable, CaseIterable {
        /// The sentence is left out.
        case drop
        /// The reply becomes a canned one.
        case replace
        /// The sentence protects, and passes before any other rule.
        case protect
        /// The sentence sends for emergency help, or out of the house; it passes before any other rule.
        case emergency
    }

    /// What finding the rule means.
    package enum Consequence: Sendable, Equatable {
        /// Of what a patient says: how soon a human must know, and of what.
        case finding(Level, Category)
        /// Of what a model says: what becomes of it, and which line replaces it.
        case verdict(Action, line: String)
        /// Of what a patient says: the ground that it treads on.
        case ground(Ground)
        /// Of what a patient says: a danger is over or in good hands.
        case closing(Closing)
    }

    /// What makes the rule fire; any one of them is enough.
    struct Conditions: Sendable {
        /// The rule's own patterns, by their place in the pack's set.
        var patterns: [Int] = []
        /// Signals that must all be there.
        var conjunctions: [[Int]] = []
        /// Signals of which none may be anywhere in the text.
        var unless: [Int] = []
        /// Signals of which none may stand in the match, or before it in the same clause: "Take two, but ask your doctor"
        /// is advice, whatever is said afterwards.
        var unlessBefore: [Int] = []

        /// Whether nothing has to be there for the rule to fire.
        var isEmpty: Bool { patterns.isEmpty && conjunctions.isEmpty }
    }

    /// "falls.head_strike": the pack and the rule's name in it.
    package let id: String
    /// What finding it means.
    package let consequence: Consequence
    /// Of a model's words: the ground on which it holds; empty for a rule that holds everywhere.
    ///
    /// With a ground and no condition a rule fires on whatever is said there, unless something lets it go.
    package let grounds: Set<Ground>
    /// The guards that it respects, with the level that each leaves it.
    package let guards: [Guard: Level]
    /// What happens when it could not be weighed.
    package let fails: FailPosture
    /// How sure a finding of it is, from 0 to 1.
    package let confidence: Double
    /// Sentences that it must fire on.
    package let positives: [Example]
    /// Harmless sentences that it must not fire on.
    package let traps: [Example]
    /// Where it is written.
    package let position: YAMLPosition
    let conditions: Conditions

    /// A sentence with its place.
    package struct Example: Sendable, Equatable {
        /// The sentence.
        package let text: String
        /// Where it is written.
        package let position: YAMLPosition
    }
}
