package import Foundation

/// Answers the questions that belong to the records, in the patient's own zone and language.
///
/// When the records cannot be read the answer says so; it is never guessed.
package struct RecordAnswers: Sendable {
    /// Makes the answers.
    package init() {}

    /// The answer to what was said; nil when it asks nothing that belongs to the records.
    ///
    /// - Parameter memory: What is remembered; nil when memory could not be read.
    package func answer(_ said: String, memory: PatientMemory?, at date: Date) -> RecordAnswer? {
        guard let question = RecordQuestion(said) else { return nil }
        let speech = RecordSpeech(language: memory?.patient.language ?? "en-US")
        guard let memory else { return speech.recordsAway }
        let zone = memory.patient.timeZone
        switch question {
        case .time: return speech.time(date, in: zone)
        case .day: return speech.day(date, in: zone)
        case .nextReminder: return nextReminder(memory, speech, at: date)
        case .dose: return dose(memory, speech, at: date)
        }
    }

    private func nextReminder(_ memory: PatientMemory, _ speech: RecordSpeech, at date: Date) -> RecordAnswer {
        let zone = memory.patient.timeZone
        let week = date.addingTimeInterval(7 * 86_400)
        let next = memory.reminders
            .compactMap { reminder in
                reminder.dueTimes(from: date, until: week, in: zone).first.map { (reminder, $0) }
            }
            .min { $0.1 < $1.1 }
        guard let (reminder, due) = next else { return speech.nothingNext }
        return speech.next(reminder.title, at: due, from: date, in: zone)
    }

    /// Speaks of the medicine that was due last today, or else of the one that comes next.
    private func dose(_ memory: PatientMemory, _ speech: RecordSpeech, at date: Date) -> RecordAnswer {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = memory.patient.timeZone
        let midnight = calendar.startOfDay(for: date)
        let due = memory.reminders.filter { $0.kind == .medicine }
            .compactMap { medicine in
                medicine.dueTimes(from: midnight, until: date, in: calendar.timeZone).last.map { (medicine, $0) }
            }
            .max { $0.1 < $1.1 }
        guard let (medicine, dueAt) = due else { return speech.noDoseDue }
        let taken = medicine.events.last { $0.dueAt == dueAt && $0.status == .done }
        if let taken { return speech.taken(medicine.title, at: taken.at, in: calendar.timeZone) }
        return speech.notTaken(medicine.title)
    }
}
