package import Foundation

/// A stored message with its reply.
package struct MessageRecord: Sendable, Equatable {
    /// The message's identity.
    package let id: MessageID
    /// The conversation.
    package let conversation: ConversationID
    /// The patient's words.
    package let said: String
    /// The time when it was said.
    package let spokenAt: Date
    /// The reply; nil when none was made.
    package let answered: String?
    /// The time of the reply.
    package let answeredAt: Date?
    /// The source of the reply's words.
    package let source: ReplySource?
    /// The decided level.
    package let level: Level
    /// True if an alert was written with the message.
    package let alerted: Bool

    package init(
        id: MessageID,
        conversation: ConversationID,
        said: String,
        spokenAt: Date,
        answered: String?,
        answeredAt: Date?,
        source: ReplySource?,
        level: Level,
        alerted: Bool
    ) {
        self.id = id
        self.conversation = conversation
        self.said = said
        self.spokenAt = spokenAt
        self.answered = answered
        self.answeredAt = answeredAt
        self.source = source
        self.level = level
        self.alerted = alerted
    }
}
