package import Domain
import Foundation

/// Reads a message as the answer to a reminder.
package enum ReminderReply {
    /// The time after a reminder's due time in which a message may answer it.
    static let window: TimeInterval = 12 * 3600

    /// Returns the answer of a turn; nil when it answers no reminder, or does not say that it is done.
    package static func read(_ turn: Turn, _ memory: PatientMemory?) -> ReminderAnswer? {
        guard let memory, let id = turn.context.reminder, isDone(turn.text) else { return nil }
        guard let reminder = memory.reminders.first(where: { $0.id == id }) else { return nil }
        let due = reminder.dueTimes(
            from: turn.spokenAt.addingTimeInterval(-window),
            until: turn.spokenAt.addingTimeInterval(1),
            in: memory.patient.timeZone
        )
        return due.last.map { ReminderAnswer(reminder: id, dueAt: $0, status: .done) }
    }

    private static let yes: Set<String> = ["yes", "yeah", "yep", "yup", "done", "taken", "sí", "ya", "hecho", "listo"]
    /// The words that may accompany a yes without changing its meaning.
    private static let beside: Set<String> = [
        "i", "i'm", "it", "it's", "its", "is", "all", "have", "did", "thank", "thanks", "you", "dear", "milo", "just",
        "now", "already", "ma'am", "sir", "está", "lo", "la", "las", "gracias", "todo",
    ]
    private static let doubt: Set<String> = [
        "no", "not", "don't", "didn't", "haven't", "later", "forgot", "maybe", "think", "soon", "will", "i'll", "can't",
        "tomorrow",
        "luego", "después", "mañana", "olvidé",
    ]

    /// Returns whether the words plainly say that it is done: that it was taken, or yes and nothing else of weight.
    ///
    /// Prefers the safe error: a dose wrongly thought missed is asked for again, while one wrongly thought taken is
    /// missed.
    static func isDone(_ said: String) -> Bool {
        let words = SpokenWords(said)
        guard !said.contains("?" as Character), !words.all.contains(where: doubt.contains) else { return false }
        let isYes =
            words.all.contains(where: yes.contains) && words.all.allSatisfy { yes.contains($0) || beside.contains($0) }
        return isYes && words.all != ["ya"] || words.hold(took)
    }

    private static let took = SpokenPhrases([
        "i took it", "i took them", "i took my", "i took the", "i've taken it", "i've taken them", "i've taken my",
        "i have taken it", "i have taken them", "i have taken my", "i did take it", "just took it", "just took them",
        "just took my", "la tomé", "las tomé", "lo tomé", "los tomé", "me tomé", "ya tomé",
    ])
}
