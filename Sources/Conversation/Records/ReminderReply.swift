package import Domain
import Foundation
import Reminders

/// A message as the answer to a reminder: what is recorded of it, and what is said to it.
package struct ReminderReply: Sendable, Equatable {
    /// The time after a reminder's due time in which a message may answer it.
    static let window: TimeInterval = 12 * 3600
    /// How long after its due time a reminder may be put off once more.
    private static let longestDelay: TimeInterval = 2 * 3600

    /// What is recorded; nil when the message changes nothing.
    package let answer: ReminderAnswer?
    /// What is said; nil leaves the words to the model.
    package let line: ReminderLine?
    /// The reminder that is meant; nil when none is.
    let meant: MeantReminder?
    /// Another one that might be meant.
    let other: MeantReminder?

    /// True if it answers what the records may answer better.
    var isQuestion: Bool { line == .enough || line == .uncertain }

    private init(
        _ line: ReminderLine?,
        _ meant: MeantReminder?,
        _ status: Reminder.Event.Status? = nil,
        or other: MeantReminder? = nil
    ) {
        self.line = line
        self.meant = meant
        self.other = other
        answer = status.flatMap { status in
            meant.map { ReminderAnswer(reminder: $0.reminder.id, dueAt: $0.dueAt, status: status) }
        }
    }

    /// Reads a turn; nil when it answers no reminder.
    ///
    /// Prefers the safe error: a dose wrongly thought missed is asked for again, while one wrongly thought taken is
    /// missed.
    ///
    /// - Parameter doses: What the message says of a dose.
    package static func read(
        _ turn: Turn,
        _ memory: PatientMemory?,
        _ doses: Set<DoseReport> = []
    ) -> ReminderReply? {
        guard let memory else { return nil }
        let isNamed = turn.context.reminder != nil || turn.context.push != nil
        let titles = { Set(memory.reminders.flatMap { ReminderWordsSaid.words(of: $0.title) }) }
        guard let intent = ReminderIntent(turn.text, titles: titles()) else {
            guard isNamed, PlainYes.isSaid(in: turn.text), let meant = MeantReminder.named(by: turn, in: memory) else {
                return remark(on: doses, turn, memory)
            }
            return meant.doneAt == nil ? ReminderReply(.done, meant, .done) : ReminderReply(.doneBefore, meant)
        }
        let candidates = MeantReminder.candidates(of: turn, intent, in: memory)
        guard let meant = candidates.first else {
            return intent == .which && !isNamed && turn.context.triggeredBy == "reminder"
                ? ReminderReply(.nothing, nil) : nil
        }
        if candidates.count > 1 { return ReminderReply(.ask, meant, or: candidates[1]) }
        return reply(intent, meant, turn)
    }

    /// What is said to more of a medicine than the record shows as due; nil when no medicine is meant.
    private static func remark(on doses: Set<DoseReport>, _ turn: Turn, _ memory: PatientMemory) -> ReminderReply? {
        guard !doses.isEmpty, let meant = MeantReminder.medicine(of: turn, in: memory) else { return nil }
        if meant.doneAt == nil { return doses.contains(.wanted) ? ReminderReply(.uncertain, meant) : nil }
        return ReminderReply(doses == [.wanted] ? .enough : .twice, meant)
    }

    private static func reply(_ intent: ReminderIntent, _ meant: MeantReminder, _ turn: Turn) -> ReminderReply? {
        let isDone = meant.doneAt != nil
        switch intent {
        case .which: return ReminderReply(.which, meant)
        case .again:
            guard isDone else { return nil }
            return ReminderReply(meant.reminder.kind == .medicine ? .twice : .doneBefore, meant)
        case .done where isDone:
            return ReminderReply(meant.reminder.kind == .medicine ? .twice : .doneBefore, meant)
        case .already where isDone: return ReminderReply(.doneBefore, meant)
        case .done, .already: return ReminderReply(.done, meant, .done)
        case .later, .skip:
            guard !isDone else { return ReminderReply(.doneBefore, meant) }
            if intent == .skip { return ReminderReply(.notYet, meant, .skipped) }
            let told = turn.spokenAt.addingTimeInterval(Occurrence.snooze)
            let isTooLate = told > meant.dueAt.addingTimeInterval(longestDelay) || !meant.isOpen
            return isTooLate ? ReminderReply(.notYet, meant) : ReminderReply(.later, meant, .snoozed)
        }
    }
}

/// A yes and nothing else of weight, which answers only a reminder that the message names.
private enum PlainYes {
    private static let yes: Set<String> = ["yes", "yeah", "yep", "yup", "done", "taken", "sí", "ya", "hecho", "listo"]
    /// The words that may accompany a yes without changing its meaning.
    private static let beside: Set<String> = [
        "i", "i'm", "it", "it's", "its", "is", "all", "have", "did", "thank", "thanks", "you", "dear", "milo", "just",
        "now", "already", "ma'am", "sir", "está", "lo", "la", "las", "gracias", "todo",
    ]

    static func isSaid(in said: String) -> Bool {
        let words = SpokenWords(said)
        guard !said.contains("?" as Character), words.all != ["ya"] else { return false }
        return words.all.contains(where: yes.contains)
            && words.all.allSatisfy { yes.contains($0) || beside.contains($0) }
    }
}
