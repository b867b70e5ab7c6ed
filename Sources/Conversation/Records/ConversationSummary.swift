package import Foundation

/// A conversation in a list.
package struct ConversationSummary: Sendable, Equatable {
    /// The conversation's identity.
    package let id: ConversationID
    /// The time of its first message.
    package let startedAt: Date
    /// The time of its newest message.
    package let lastMessageAt: Date
    /// The number of the patient's messages.
    package let messageCount: Int
    /// The newest message; nil without one.
    package let latest: MessageRecord?

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
