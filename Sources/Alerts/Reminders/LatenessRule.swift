package import Domain
package import Foundation
import Reminders

/// Until when a late reminder is still worth hearing; the rule depends on what it is for.
package struct LatenessRule: Sendable, Equatable {
    /// The greatest delay of a medicine's reminder.
    package static let medicine: TimeInterval = 30 * 60
    /// The greatest delay of a reminder of a meal or of water, if the next one is not due before.
    package static let meal: TimeInterval = 3 * 3600
    /// The greatest delay of any other reminder.
    package static let other: TimeInterval = 2 * 3600
    /// The least time for an appointment that is told when it begins.
    package static let grace: TimeInterval = 5 * 60

    private let book: ReminderBook

    /// Makes the rule for the reminders of a patient.
    package init(_ book: ReminderBook) {
        self.book = book
    }

    /// The instant after which an occurrence is not told any more.
    package func end(of occurrence: Occurrence, _ reminder: Reminder) -> Date {
        let due = occurrence.key.dueAt
        switch reminder.kind {
        case .medicine: return occurrence.remindAt.addingTimeInterval(Self.medicine)
        case .appointment: return max(due, occurrence.remindAt.addingTimeInterval(Self.grace))
        case .meal, .water:
            let latest = occurrence.remindAt.addingTimeInterval(Self.meal)
            return book.next(of: reminder.kind, after: due, until: latest) ?? latest
        case .call, .activity, .other: return occurrence.remindAt.addingTimeInterval(Self.other)
        }
    }

    /// The state of an occurrence that was not told in time.
    package func outcome(_ kind: Reminder.Kind) -> Occurrence.Step {
        switch kind {
        case .meal, .water: .skipped
        case .medicine, .appointment, .call, .activity, .other: .missed
        }
    }

    /// The instant from which an occurrence may be told: minor kinds wait for the end of quiet hours.
    package func start(of occurrence: Occurrence, _ reminder: Reminder) -> Date {
        switch reminder.kind {
        case .medicine, .appointment: return occurrence.remindAt
        case .meal, .water, .call, .activity, .other:
            guard let quiet = book.quietHours else { return occurrence.remindAt }
            return quiet.end(after: occurrence.remindAt, in: book.patient.timeZone)
        }
    }
}

extension ReminderBook {
    /// The first due time of any reminder of a kind after an instant and before another.
    fileprivate func next(of kind: Reminder.Kind, after date: Date, until end: Date) -> Date? {
        reminders.lazy.filter { $0.kind == kind }
            .compactMap { $0.dueTimes(from: date.addingTimeInterval(1), until: end, in: patient.timeZone).first }
            .min()
    }
}
