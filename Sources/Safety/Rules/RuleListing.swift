package import Conversation

/// A rule as an operator reads it: what it finds or does, what it respects and how it fails.
package struct RuleListing: Sendable, Equatable, Encodable {
    /// The pack and the rule's name in it.
    package let rule: String
    /// Of a patient's words: how soon a human must know; nil for rules about a model's words.
    package let level: Level?
    /// Of a patient's words: what it is about.
    package let category: Conversation.Category?
    /// Of a model's words: "drop" or "replace".
    package let action: String?
    /// The ground that a patient's words tread on, or those on which a rule over a model's words holds; nil for all.
    package let grounds: [String]?
    /// The circumstances that lower it, in order of their names.
    package let guards: [String]
    /// What happens where it cannot be weighed: "alert" counts as found, "open" as not found.
    package let fails: String
    /// Where it is written.
    package let place: String

    /// Lists a rule.
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
