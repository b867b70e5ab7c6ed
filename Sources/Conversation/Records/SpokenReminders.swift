import Domain
import Foundation

/// Reminders by voice: what is asked for is read back, a yes does it, and a no leaves all as it was.
struct SpokenReminders {
    /// The next step.
    enum Step {
        /// What is understood is read back.
        case propose(plan: String, ReminderProposal)
        /// Something is asked.
        case ask(String, ReminderProposal)
        /// Which of two reminders is asked.
        case choose(Reminder, Reminder, ReminderProposal)
        /// The deed is done.
        case settle(ReminderDeed, plan: String)
        /// Nothing is done.
        case keep
        /// There is no such reminder.
        case unfound
        /// What is understood is too long to be read back.
        case long
    }

    /// The most words of an answer to a question.
    private static let longestAnswer = 10
    private static let mostWords = 5
    private static let yes: Set<String> = [
        "yes", "yeah", "yep", "yup", "right", "correct", "sure", "ok", "okay", "exactly", "perfect",
        "si", "correcto", "exacto", "vale", "claro", "perfecto", "acuerdo", "dale",
    ]
    /// The words that may accompany a yes without changing its meaning.
    private static let beside: Set<String> = [
        "that's", "thats", "that", "is", "it", "its", "it's", "do", "go", "ahead", "please", "thank", "thanks", "you",
        "fine", "good", "dear", "very", "milo", "all",
        "eso", "es", "asi", "esta", "bien", "bueno", "por", "favor", "gracias", "muchas", "de", "pues",
    ]
    private static let no: Set<String> = [
        "no", "nope", "nah", "not", "wrong", "don't", "never", "cancel", "leave", "forget", "nada", "dejalo",
        "olvidalo",
        "tampoco", "mal",
    ]

    /// The words that begin a question, which speech recognition often writes without its mark.
    private static let asking: Set<String> = ["is", "are", "do", "did", "does", "you"]

    private let turn: Turn
    private let memory: PatientMemory
    private let message: MessageID

    init(_ turn: Turn, _ memory: PatientMemory, _ message: MessageID) {
        self.turn = turn
        self.memory = memory
        self.message = message
    }

    /// The step that answers what was read back or asked; nil when nothing was, or the message is no answer.
    var answer: Step? {
        // What answers a reminder's own telling is no answer to what was read back.
        guard let open = memory.state.proposal, turn.context.reminder == nil, turn.context.push == nil else {
            return nil
        }
        let age = turn.spokenAt.timeIntervalSince(open.saidAt)
        guard (0...ReminderProposal.patience).contains(age) else { return nil }
        let words = ReminderWordsSaid.words(of: turn.text)
        if words.first.map(Self.no.contains) ?? false { return words.count <= Self.mostWords ? .keep : nil }
        if open.plan != nil {
            guard words.count <= Self.mostWords, !Self.yes.isDisjoint(with: words),
                !(words.first.map(Self.asking.contains) ?? false),
                words.allSatisfy({ Self.yes.contains($0) || Self.beside.contains($0) }),
                !turn.text.contains("?" as Character)
            else { return nil }
            return confirmed(open)
        }
        guard words.count <= Self.longestAnswer, !turn.text.contains("?" as Character) else { return nil }
        return step(open.words + ", " + turn.text, at: open.saidAt, making: open.id)
    }

    /// What a yes does; where the words have come to mean something else since, that is read back instead.
    private func confirmed(_ open: ReminderProposal) -> Step? {
        guard case .deed(let deed, let plan)? = reading(open.words, at: open.saidAt, making: open.id),
            plan == open.plan, target(of: deed) == open.target
        else { return step(open.words, at: open.saidAt, making: open.id) }
        return .settle(deed, plan: plan)
    }

    private func target(of deed: ReminderDeed) -> ReminderProposal.Target? {
        memory.reminders.first { $0.id == deed.target }.map { ReminderProposal.Target($0) }
    }

    /// The step that answers a new wish; nil when the message has none.
    var wish: Step? { step(turn.text, at: turn.spokenAt, making: ReminderID(message.uuid)) }

    private func step(_ words: String, at date: Date, making id: ReminderID) -> Step? {
        func proposal(_ plan: String? = nil, _ deed: ReminderDeed? = nil) -> ReminderProposal {
            ReminderProposal(id: id, words: words, saidAt: date, plan: plan, target: deed.flatMap(target))
        }
        switch reading(words, at: date, making: id) {
        case nil: return nil
        case .deed(_, let plan)? where WordCount.of(plan) > RecordSpeech.longestPlan: return .long
        case .deed(let deed, let plan)?: return .propose(plan: plan, proposal(plan, deed))
        case .question(let text)?: return .ask(text, proposal())
        case .which(let one, let other)?: return .choose(one, other, proposal())
        case .unfound?: return .unfound
        }
    }

    private func reading(_ words: String, at date: Date, making id: ReminderID) -> ReminderReading? {
        ReminderReading(words, at: date, for: memory, making: id)
    }
}
