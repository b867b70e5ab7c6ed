package import Domain
package import Foundation
import Reminders

/// A due time of a reminder that a message may be about.
package struct MeantReminder: Sendable, Equatable {
    /// How long after it was told a reminder that a message does not name may be meant.
    private static let hearing: TimeInterval = 3600
    /// How long after a dose a message that does not name it may be about it.
    private static let repetition: TimeInterval = 1800
    /// The same for a message that names a medicine.
    private static let namedRepetition: TimeInterval = 6 * 3600

    /// The reminder.
    package let reminder: Reminder
    /// The due time.
    package let dueAt: Date
    /// When it was done, by another message; nil when it is not.
    let doneAt: Date?
    /// When it was told last; nil when it was not.
    let toldAt: Date?
    /// Whether it was told and waits for an answer.
    let isOpen: Bool

    private init(_ reminder: Reminder, _ due: Date, _ turn: Turn, in memory: PatientMemory) {
        self.reminder = reminder
        dueAt = due
        let events = reminder.events.filter { abs($0.dueAt.timeIntervalSince(due)) < 1 }
        // A turn that is resumed finds its own answer in the record.
        let own = memory.earlier == nil ? nil : turn.spokenAt
        let isOwn = { (at: Date) in own.map { abs($0.timeIntervalSince(at)) < 0.5 } ?? false }
        let done = events.filter { $0.status == .done && !isOwn($0.at) }.map(\.at).min()
        doneAt = done
        toldAt = events.filter { $0.status == .sent || $0.status == .heard || $0.status == .snoozed }.map(\.at).max()
        isOpen = done == nil && !events.contains { $0.status == .skipped }
    }

    /// The one that a message names by its reminder or by its push; nil when it names none of the patient's.
    static func named(by turn: Turn, in memory: PatientMemory) -> MeantReminder? {
        let push = turn.context.push
        guard let id = push?.reminder ?? turn.context.reminder,
            let reminder = memory.reminders.first(where: { $0.id == id })
        else { return nil }
        let due = dueTimes(of: reminder, around: turn.spokenAt, in: memory.patient.timeZone)
        let told = push.map { push in due.filter { push.isAbout($0) } } ?? due
        return told.last.map { MeantReminder(reminder, $0, turn, in: memory) }
    }

    /// The one of which it was asked whether it was taken; nil when it is the patient's no longer.
    static func asked(_ open: DoseQuestion, _ turn: Turn, in memory: PatientMemory) -> MeantReminder? {
        memory.reminders.first { $0.id == open.reminder }.map { MeantReminder($0, open.dueAt, turn, in: memory) }
    }

    /// Those that a message may be about: the one that it names, or else those that were just told and fit its words.
    static func candidates(of turn: Turn, _ intent: ReminderIntent, in memory: PatientMemory) -> [MeantReminder] {
        let words = ReminderWordsSaid.words(of: turn.text)
        let kinds = ReminderWordsSaid.kinds(of: words)
        if turn.context.reminder != nil || turn.context.push != nil {
            return named(by: turn, in: memory).map { [$0] }?.filter { kinds.contains($0.reminder.kind) } ?? []
        }
        let all = memory.reminders.filter { kinds.contains($0.kind) }.flatMap { reminder in
            dueTimes(of: reminder, around: turn.spokenAt, in: memory.patient.timeZone)
                .map { MeantReminder(reminder, $0, turn, in: memory) }
        }
        let open = all.filter { one in
            one.isOpen && one.toldAt.map { turn.spokenAt.timeIntervalSince($0) < hearing } ?? false
        }
        let named = open.filter { $0.isNamed(in: words) }
        if !named.isEmpty { return named }
        if !open.isEmpty { return open }
        guard intent == .done || intent == .already || intent == .again else { return [] }
        return all.filter { $0.wasJustDone(at: turn.spokenAt, words) }.suffix(1)
    }

    /// The medicine of which a message speaks freely: the one that it names, or the one that was told or taken last.
    static func medicine(of turn: Turn, in memory: PatientMemory) -> MeantReminder? {
        if turn.context.reminder != nil || turn.context.push != nil {
            return named(by: turn, in: memory).flatMap { $0.reminder.kind == .medicine ? $0 : nil }
        }
        let words = ReminderWordsSaid.words(of: turn.text)
        let near = memory.reminders.filter { $0.kind == .medicine }.flatMap { reminder in
            dueTimes(of: reminder, around: turn.spokenAt, in: memory.patient.timeZone)
                .map { MeantReminder(reminder, $0, turn, in: memory) }
        }
        .filter { one in
            let wasTold = one.toldAt.map { turn.spokenAt.timeIntervalSince($0) < hearing } ?? false
            return wasTold && one.isOpen || one.wasJustDone(at: turn.spokenAt, words)
        }
        return near.last { $0.isNamed(in: words) } ?? near.last
    }

    /// Whether a medicine was taken so lately that a message can report it taken twice.
    private func wasJustDone(at date: Date, _ words: [String]) -> Bool {
        guard reminder.kind == .medicine, let doneAt else { return false }
        let span = isNamed(in: words) ? Self.namedRepetition : Self.repetition
        return date.timeIntervalSince(doneAt) < span
    }

    /// Whether a message says a word of the title that no other answer has.
    private func isNamed(in words: [String]) -> Bool {
        let title = Set(ReminderWordsSaid.words(of: reminder.title)).subtracting(Self.common)
        return !title.isDisjoint(with: words)
    }

    /// Words of titles that name no one reminder.
    private static let common: Set<String> = [
        "pill", "pills", "tablet", "tablets", "medicine", "medication", "the", "my", "a", "of", "and", "to", "at",
        "with",
        "pastilla", "pastillas", "medicina", "la", "el", "las", "los", "mi", "de", "con", "para", "y",
    ]

    private static func dueTimes(of reminder: Reminder, around date: Date, in zone: TimeZone) -> [Date] {
        let lead = TimeInterval(reminder.leadMinutes * 60)
        let start = date.addingTimeInterval(-ReminderReply.window)
        return reminder.dueTimes(from: start, until: date.addingTimeInterval(lead + 1), in: zone)
    }
}
