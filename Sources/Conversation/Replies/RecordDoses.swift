import Foundation
import Reminders

/// The doses of today that a question means, with their records.
///
/// A medicine counts as taken only when the record of its last dose says so. With several medicines the answer is
/// "yes" only when all are recorded as taken.
struct RecordDoses {
    /// A dose that was due, or was taken before it was due.
    private struct Dose {
        let medicine: Reminder
        let dueAt: Date
        /// The time when it was recorded as taken; nil when it was not.
        let takenAt: Date?
    }

    /// The medicines in question.
    let medicines: [Reminder]
    private let mention: RecordMedicine
    private let doses: [Dose]
    private let zone: TimeZone

    init(_ reminders: [Reminder], of mention: RecordMedicine, at date: Date, _ calendar: Calendar) {
        self.mention = mention
        zone = calendar.timeZone
        medicines = reminders.filter { $0.kind == .medicine && mention.matches($0.title) }
        let midnight = calendar.startOfDay(for: date)
        let end = calendar.date(byAdding: .day, value: 1, to: midnight) ?? midnight.addingTimeInterval(86_400)
        doses = medicines.compactMap { medicine in
            let today = medicine.dueTimes(from: midnight, until: end, in: calendar.timeZone).filter { due in
                mention.part.map { $0.hours.contains(calendar.component(.hour, from: due)) } ?? true
            }
            let doses = today.map { Dose(medicine: medicine, dueAt: $0, takenAt: medicine.taken(at: $0)) }
            return doses.last { $0.dueAt <= date } ?? doses.last { $0.takenAt != nil }
        }
        .sorted { $0.dueAt < $1.dueAt }
    }

    /// Whether the doses of today so far are taken.
    func taken(_ speech: RecordSpeech) -> CannedReply? {
        if medicines.isEmpty, !mention.name.isEmpty { return speech.say(.unknownMedicine) }
        guard let last = doses.last else {
            return speech.say(mention == RecordMedicine() ? .noDoseDue : .noSuchDoseDue)
        }
        if let missed = doses.last(where: { $0.takenAt == nil }) { return speech.notTaken(missed.medicine.title) }
        guard doses.count == 1, let takenAt = last.takenAt else { return speech.say(.allTaken) }
        return speech.taken(last.medicine.title, at: takenAt, in: zone)
    }

    /// That a dose of today was due and is not recorded as taken; nil when there is none.
    func missed(_ speech: RecordSpeech) -> CannedReply? {
        guard let missed = doses.last(where: { $0.takenAt == nil }) else { return nil }
        return speech.missed(missed.medicine.title, dueAt: missed.dueAt, in: zone)
    }
}

extension Reminder {
    /// Returns the time when the dose of a due time was recorded as taken; nil when it was not.
    fileprivate func taken(at due: Date) -> Date? {
        events.last { abs($0.dueAt.timeIntervalSince(due)) < 1 && $0.status == .done }?.at
    }
}
