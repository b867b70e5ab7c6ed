/// The answer to a turn.
package struct Reply: Sendable, Equatable, Codable {
    /// The words to be read aloud; 1 to 20, always with closing punctuation.
    package var text: String
    /// True if the device should listen for an answer.
    package var keepListening: Bool
    /// The conversation.
    package var conversation: ConversationID
    /// The answered message.
    package var message: MessageID
    /// The source of the words.
    package var source: ReplySource
    /// The failures during the turn, in the order in which they were noticed.
    package var degraded: [Degradation]
    /// The findings of the screens: "scam", "fall", "advice_replaced".
    package var flags: [String]
    /// The level of the message.
    package var level: Level
    /// True if an alert was made durable for this message.
    package var alertSent: Bool
    /// The version of the bundle.
    package var promptVersion: String
    /// The tokens used by the model; zero when none answered.
    package var usage: TokenUsage

    package init(
        text: String,
        keepListening: Bool,
        conversation: ConversationID,
        message: MessageID,
        source: ReplySource,
        degraded: [Degradation] = [],
        flags: [String] = [],
        level: Level = .none,
        alertSent: Bool = false,
        promptVersion: String,
        usage: TokenUsage = TokenUsage()
    ) {
        self.text = text
        self.keepListening = keepListening
        self.conversation = conversation
        self.message = message
        self.source = source
        self.degraded = degraded
        self.flags = flags
        self.level = level
        self.alertSent = alertSent
        self.promptVersion = promptVersion
        self.usage = usage
    }
}
