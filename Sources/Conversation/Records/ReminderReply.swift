import Foundation

/// Reads what a message says of the reminder that it answers.
package enum ReminderReply {
    /// How long after a reminder was due a message may still answer it.
    static let window: TimeInterval = 12 * 3600

    /// The answer that a turn gives; nil when it answers no reminder, or does not say that it is done.
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

    private static let yes: Set<String> = ["yes", "yeah", "yep", "yup", "done", "taken", "sí", "si", "ya"]
    private static let doubt: Set<String> = [
        "no", "not", "don't", "didn't", "haven't", "later", "forgot", "maybe", "think", "soon", "will", "i'll", "can't",
        "tomorrow",
        "luego", "después", "mañana", "olvidé",
    ]

    /// Whether the words say plainly that it is done; any sign of doubt, or a question, says no.
    static func isDone(_ said: String) -> Bool {
        let words = SpokenWords(said)
        guard !said.contains("?" as Character), !words.all.contains(where: doubt.contains) else { return false }
        return words.all.first.map(yes.contains) == true || words.hold(took)
    }

    private static let took = SpokenPhrases([
        "i took", "i've taken", "i have taken", "i did", "just took", "la tomé", "las tomé", "tomé",
    ])
}
