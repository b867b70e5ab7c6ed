package import Conversation

/// A rule as shown to an operator: its effect, guards and fail posture.
package struct RuleListing: Sendable, Equatable, Encodable {
    /// The pack's and the rule's name.
    package let rule: String
    /// For a patient's words: the level; nil for rules about a model's words.
    package let level: Level?
    /// For a patient's words: the category.
    package let category: Conversation.Category?
    /// For a model's words: "drop" or "replace".
    package let action: String?
    /// The restricted topic of a patient's words, or the topics to which a rule for a model's words is limited; nil for
    /// all.
    package let grounds: [String]?
    /// The guards that lower the level, in name order.
    package let guards: [String]
    /// The result when the rule cannot be evaluated: "alert" counts as found, "open" as not found.
    package let fails: String
    /// The position in its file.
    package let place: String

    package init(_ rule: Rule) {
        self.rule = rule.id
        switch rule.consequence {
        case .finding(let level, let category): (self.level, self.category, action) = (level, category, nil)
        case .verdict(let action, _): (level, category, self.action) = (nil, nil, action.rawValue)
        case .ground, .closing: (level, category, action) = (nil, nil, nil)
        }
        if case .ground(let ground) = rule.consequence {
            grounds = [ground.rawValue]
        } else {
            grounds = rule.grounds.isEmpty ? nil : rule.grounds.map(\.rawValue).sorted()
        }
        guards = rule.guards.keys.map(\.rawValue).sorted()
        fails = rule.fails.rawValue
        place = "\(rule.position)"
    }
}
