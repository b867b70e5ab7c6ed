import Conversation
import Foundation

/// The conversation about one danger: a question of ours, what its answer means, and what is asked next.
///
/// A good answer changes what is asked; the alert that was written stands. A worse one raises the level.
struct CheckDialogue: Sendable {
    /// What an answer came to.
    enum Step: Sendable, Equatable {
        /// The answer makes things worse: the matter is raised to this level.
        case raised(Level)
        /// The answer is good: this is said, and the check is closed.
        case closed(FixedReply)
        /// The answer says nothing clear: the question is asked once more.
        case askedAgain(FixedReply)
        /// It still says nothing clear: the model speaks, and the check stays open.
        case open
    }

    /// How long an answer belongs to the question that was asked.
    static let window: TimeInterval = 10 * 60

    let lines: SafetyLines

    /// What a message says about an open check; nil when none is open or its time is over.
    func step(_ check: ConversationState.Check?, _ said: String, at date: Date, in language: String) -> Step? {
        guard let check, date.timeIntervalSince(check.askedAt) <= Self.window,
            let line = lines.line(check.category, check.level), let worse = line.worse
        else { return nil }
        let answer = CheckAnswer(said)
        if check.category == .scam { return scam(answer, in: language) }
        switch (answer, worse) {
        case (.yes, .yes), (.no, .no), (.notFine, _): return .raised(line.raises ?? .critical)
        case (.fine, _), (.no, .yes), (.yes, .no): return .closed(lines.closing(closing(check.category), in: language))
        case (.unclear, _) where check.step == 0: return .askedAgain(line.reply(in: language))
        default: return .open
        }
    }

    /// Where the person's carer may be the danger, nobody is said to be told.
    private func closing(_ category: Conversation.Category) -> SafetyLines.Closing {
        category == .abuse || category == .neglect ? .betterUnannounced : .better
    }

    private func scam(_ answer: CheckAnswer, in language: String) -> Step {
        switch answer {
        case .yes: .closed(lines.closing(.scamYes, in: language))
        case .no, .fine: .closed(lines.closing(.scamNo, in: language))
        case .unclear, .notFine: .open
        }
    }
}
