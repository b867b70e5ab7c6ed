/// The answer to a turn.
package struct Reply: Sendable, Equatable, Codable {
    /// The words, to be read aloud; 1 to 20 of them, always with closing punctuation.
    package var text: String
    /// Whether the device should listen for an answer.
    package var keepListening: Bool
    /// The conversation that the turn belongs to.
    package var conversation: ConversationID
    /// The message that is answered.
    package var message: MessageID
    /// Where the words come from.
    package var source: ReplySource
    /// What did not work while it was made, in the order in which it was noticed.
    package var degraded: [Degradation]
    /// What the screens found: "scam", "fall", "advice_replaced".
    package var flags: [String]
    /// The level of the message.
    package var level: Level
    /// Whether an alert was made durable for this message.
    package var alertSent: Bool
    /// The prompt bundle in force.
    package var promptVersion: String
    /// What the model used; zero when none spoke.
    package var usage: TokenUsage

    /// Makes a reply.
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
