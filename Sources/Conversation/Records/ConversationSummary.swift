package import Foundation

/// A conversation as a list shows it.
package struct ConversationSummary: Sendable, Equatable {
    /// Which conversation.
    package let id: ConversationID
    /// When its first message was said.
    package let startedAt: Date
    /// When its newest message was said.
    package let lastMessageAt: Date
    /// How many messages the patient said in it.
    package let messageCount: Int
    /// Its newest message; nil when it has none.
    package let latest: MessageRecord?

    /// Makes a summary from the record.
    package init(
        id: ConversationID,
        startedAt: Date,
        lastMessageAt: Date,
        messageCount: Int,
        latest: MessageRecord?
    ) {
        self.id = id
        self.startedAt = startedAt
        self.lastMessageAt = lastMessageAt
        self.messageCount = messageCount
        self.latest = latest
    }
}
