package import Foundation

/// A message with its reply as they are stored.
package struct MessageRecord: Sendable, Equatable {
    /// Which message.
    package let id: MessageID
    /// The conversation that it belongs to.
    package let conversation: ConversationID
    /// What the patient said.
    package let said: String
    /// When.
    package let spokenAt: Date
    /// What was answered; nil when the answer never came to be.
    package let answered: String?
    /// When it was answered.
    package let answeredAt: Date?
    /// Where the answer's words come from.
    package let source: ReplySource?
    /// The level that was decided.
    package let level: Level
    /// Whether an alert was written with the message.
    package let alerted: Bool

    /// Makes a message from the record.
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
