package import Conversation

/// A sentence with its label: danger of a category and level, or ordinary talk.
package struct Exemplar: Sendable, Equatable {
    /// The name of the group of sentences written together.
    package let group: String
    /// The sentence's category; nil for ordinary talk.
    package let category: Conversation.Category?
    /// The sentence's level; ``Level/none`` for ordinary talk.
    package let level: Level
    /// The sentence.
    package let text: String

    package init(group: String, category: Conversation.Category?, level: Level, text: String) {
        self.group = group
        self.category = category
        self.level = level
        self.text = text
    }

    /// True if the sentence tells of danger.
    package var isRisk: Bool { category != nil }

    static let ordinary = "none"
}
