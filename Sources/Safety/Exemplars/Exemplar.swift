package import Conversation

/// A sentence with what it stands for: danger of a category and level, or ordinary talk.
package struct Exemplar: Sendable, Equatable {
    /// The name of the sentences that were written together.
    package let group: String
    /// What it tells of; nil for ordinary talk.
    package let category: Conversation.Category?
    /// How soon a human must know; ``Level/none`` for ordinary talk.
    package let level: Level
    /// The sentence.
    package let text: String

    /// Makes an exemplar.
    package init(group: String, category: Conversation.Category?, level: Level, text: String) {
        self.group = group
        self.category = category
        self.level = level
        self.text = text
    }

    /// Whether it stands for danger.
    package var isRisk: Bool { category != nil }

    static let ordinary = "none"
}
