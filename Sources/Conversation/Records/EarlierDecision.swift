/// What was decided of a message that is durable and was not answered, so that it is not decided again.
///
/// The state of its conversation already holds what the message opened: decided afresh, it would be taken for an answer to
/// its own question.
package struct EarlierDecision: Sendable, Equatable {
    /// The level of the message.
    package let level: Level
    /// Whether alerts were written with it.
    package let isAlerted: Bool
    /// Our own words for it; nil when the model was to answer.
    package let fixedReply: String?

    /// Makes a decision from the record.
    package init(level: Level, isAlerted: Bool, fixedReply: String?) {
        self.level = level
        self.isAlerted = isAlerted
        self.fixedReply = fixedReply
    }

    /// The decision to go on from, in a conversation's present state; its alerts are written already.
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
