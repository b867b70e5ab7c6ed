import Conversation
import Foundation

/// The conversation about one danger: a question of ours, what its answer means, and what is asked next.
///
/// A good answer changes what is asked; the alert that was written stands. A worse one raises the level, and so does one
/// that twice says nothing clear. A critical matter has no answer that ends it at once, but that help has come: who is
/// well again is asked what the category asks when it is high.
struct CheckDialogue: Sendable {
    /// What an answer came to.
    enum Step: Sendable, Equatable {
        /// The answer makes things worse: the matter is raised to this level.
        case raised(Level)
        /// The answer is good: this is said, and the check is closed.
        case closed(FixedReply)
        /// The question that the category asks at a lower level is asked next.
        case lowered(Level, FixedReply)
        /// The answer says nothing clear: the question is asked once more, or we say that we stay.
        case askedAgain(FixedReply)
        /// It still says nothing clear: the model speaks, and the check stays open.
        case open
    }

    /// How long an answer belongs to the question that was asked.
    static let window: TimeInterval = 10 * 60

    let lines: SafetyLines

    /// What a message says about the open check.
    func step(_ check: ConversationState.Check, _ said: String, to listener: Listener) -> Step {
        if check.category == .scam { return scam(AnswerWords(said), to: listener) }
        let answer = CheckAnswer(said, about: check.category)
        if check.asksIfWell { return wellNow(check, answer, to: listener) }
        guard check.level < .critical else { return critical(check, answer, to: listener) }
        guard let line = lines.line(check.category, check.level), let worse = line.worse else { return .open }
        switch answer.meaning(worse) {
        case .worse: return .raised(line.raises ?? .critical)
        case .better: return .closed(lines.closing(.better, to: listener))
        case .unclear: return unclear(check, line.reply(to: listener))
        }
    }

    /// What is said while a critical matter is open and nothing new is known.
    func staying(to listener: Listener) -> FixedReply { lines.closing(.staying, to: listener) }

    /// The first time the question is asked again; the second time doubt counts as a reason to act today.
    private func unclear(_ check: ConversationState.Check, _ question: FixedReply) -> Step {
        if check.step == 0 { return .askedAgain(question) }
        return check.level < .high ? .raised(.high) : .open
    }

    /// The answer to "Are you all right now?", which is asked about what was said a while ago.
    private func wellNow(_ check: ConversationState.Check, _ answer: CheckAnswer, to listener: Listener) -> Step {
        switch answer.meaning(.no) {
        case .worse: .raised(lines.line(check.category, check.level)?.raises ?? .critical)
        case .better: .closed(lines.closing(.better, to: listener))
        case .unclear: unclear(check, lines.closing(.late, to: listener))
        }
    }

    private func critical(_ check: ConversationState.Check, _ answer: CheckAnswer, to listener: Listener) -> Step {
        if answer.tellsOfHelp { return .closed(lines.closing(.helpCame, to: listener)) }
        if answer.tellsOfHarm { return .raised(.critical) }
        if answer.isPlain, answer.saysWell, answer.opening != true, let milder = lines.line(check.category, .high) {
            return .lowered(.high, milder.reply(to: listener))
        }
        guard check.step > 0, answer.isPlain, let hasCalled = answer.opening else {
            return .askedAgain(staying(to: listener))
        }
        return .askedAgain(lines.closing(hasCalled ? .called : .notCalled, to: listener))
    }

    private func scam(_ answer: AnswerWords, to listener: Listener) -> Step {
        if answer.consents { return .closed(lines.closing(.scamYes, to: listener)) }
        let isDeclined = answer.opening == false || answer.hold(AnswerWords.well)
        return isDeclined ? .closed(lines.closing(.scamNo, to: listener)) : .open
    }
}
