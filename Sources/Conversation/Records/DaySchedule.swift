package import Foundation

/// What a patient is reminded of on one day.
package struct DaySchedule: Sendable, Equatable {
    /// One time at which a reminder is due.
    package struct Entry: Sendable, Equatable {
        /// The reminder.
        package let reminder: Reminder
        /// When it is due.
        package let dueAt: Date
        /// What became of it; nil when nothing is known yet.
        package let status: Reminder.Event.Status?

        /// Makes an entry.
        package init(reminder: Reminder, dueAt: Date, status: Reminder.Event.Status?) {
            self.reminder = reminder
            self.dueAt = dueAt
            self.status = status
        }
    }

    /// Whose day it is.
    package let patient: Patient
    /// When the day begins in the patient's zone.
    package let dayStart: Date
    /// What is due, in order of time.
    package let entries: [Entry]

    /// Makes the schedule of the day that holds an instant, in the patient's zone.
    package init(of patient: Patient, _ reminders: [Reminder], at date: Date) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = patient.timeZone
        let start = calendar.startOfDay(for: date)
        let end = calendar.date(byAdding: .day, value: 1, to: start) ?? start.addingTimeInterval(86_400)
        self.patient = patient
        dayStart = start
        entries = reminders.flatMap { Self.entries(of: $0, from: start, until: end, in: patient.timeZone) }
            .sorted { ($0.dueAt, $0.reminder.title) < ($1.dueAt, $1.reminder.title) }
    }

    /// The first entry that is due after an instant and of which nothing is known yet; nil when the day has none.
    package func next(after date: Date) -> Entry? {
        entries.first { $0.dueAt > date && $0.status != .done }
    }

    private static func entries(of reminder: Reminder, from start: Date, until end: Date, in zone: TimeZone) -> [Entry]
    {
        reminder.dueTimes(from: start, until: end, in: zone).map { due in
            Entry(reminder: reminder, dueAt: due, status: reminder.status(at: due))
        }
    }
}
