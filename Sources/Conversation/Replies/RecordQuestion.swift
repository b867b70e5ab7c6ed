/// A question that belongs to the records: the time, a day, what comes next, whether and when a medicine is taken.
///
/// A model that answers one of these invents the answer, so they are recognised before it is asked. A wrong answer from
/// the records harms as much: only a clause that is one of the known forms, whole, is such a question.
package enum RecordQuestion: Sendable, Equatable {
    /// What time it is.
    case time
    /// What day it is, so many days after today.
    case day(after: Int)
    /// Whether the day so many days after today is this day of the week (1 is Sunday, 7 Saturday).
    case weekday(Int, after: Int)
    /// What comes next.
    case nextReminder
    /// When the next appointment is; of a certain kind when words name one, such as "doctor".
    case appointment([String])
    /// Whether a medicine has been taken today.
    case dose(RecordMedicine)
    /// When a medicine is due.
    case doseTime(RecordMedicine)
    /// What the patient is called.
    case ownName

    /// The question that a message asks; nil when it asks none of them.
    ///
    /// - Parameter medicines: What the patient's own medicines are called.
    package init?(_ said: String, medicines: [String] = []) {
        let found = RecordUtterance.all(in: said).lazy.compactMap { Self.question($0, medicines) }.first
        guard let found else { return nil }
        self = found
    }

    private static func question(_ utterance: RecordUtterance, _ medicines: [String]) -> RecordQuestion? {
        RecordForms.question(utterance) ?? appointment(utterance) ?? medicine(utterance, medicines)
    }

    private static func appointment(_ utterance: RecordUtterance) -> RecordQuestion? {
        for (start, ends) in RecordForms.appointments where utterance.words.starts(with: start) {
            let rest = utterance.words.dropFirst(start.count)
            guard let end = ends.first(where: { rest.count > $0.count && rest.suffix($0.count) == $0[...] }) else {
                continue
            }
            let kind = rest.dropLast(end.count).map(RecordForms.singular)
            if kind.count <= 2, !kind.contains(where: RecordForms.others.contains) { return .appointment(kind) }
        }
        return nil
    }

    private static func medicine(_ utterance: RecordUtterance, _ medicines: [String]) -> RecordQuestion? {
        for form in RecordForms.medicines where form.fits(utterance) {
            let rest = Array(utterance.words.dropFirst(form.start.count))
            guard let medicine = RecordMedicine(rest, among: medicines, mayBeNext: form.asksWhen) else { continue }
            guard form.asksWhen else { return .dose(medicine) }
            return .doseTime(medicine)
        }
        return nil
    }
}
