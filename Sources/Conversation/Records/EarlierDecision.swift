/// The decision about a durable message without an answer, so that it is not decided again.
///
/// The state of its conversation already contains what the message opened. A second decision would take the message
/// for an answer to its own question.
package struct EarlierDecision: Sendable, Equatable {
    /// The level of the message.
    package let level: Level
    /// True if alerts were written with it.
    package let isAlerted: Bool
    /// The canned reply to it; nil when the model was to answer.
    package let fixedReply: String?

    package init(level: Level, isAlerted: Bool, fixedReply: String?) {
        self.level = level
        self.isAlerted = isAlerted
        self.fixedReply = fixedReply
    }

    /// Returns the decision to continue with, in the conversation's present state; its alerts are already written.
    func resumed(_ screening: Screening, in state: ConversationState) -> Decision {
        Decision(
            level: level,
            alerts: [],
            canned: fixedReply.map { CannedReply(text: $0) },
            warnsOfScam: screening.isScam,
            state: state,
            grounds: screening.grounds
        )
    }
}
