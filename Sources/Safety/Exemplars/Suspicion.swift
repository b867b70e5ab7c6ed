package import Conversation

/// What the head makes of a message's vector.
package struct Suspicion: Sendable, Equatable, Encodable {
    /// An exemplar that the message is close to.
    package struct Neighbour: Sendable, Equatable, Encodable {
        /// Its group.
        package let group: String
        /// Its sentence.
        package let text: String
        /// The cosine of the two vectors.
        package let closeness: Float
    }

    /// How much the message sounds like danger; 0 is undecided.
    package let score: Float
    /// The score from which it counts as found.
    package let threshold: Float
    /// What it sounds like most, if it is danger.
    package let category: Conversation.Category
    /// The level that follows: ``Level/none`` below the threshold.
    package let level: Level
    /// The nearest exemplars of all, nearest first.
    package let nearest: [Neighbour]
    /// The group of the nearest exemplar of its category.
    package let group: String

    /// Whether it counts as found.
    package var isFound: Bool { level > .none }
}
