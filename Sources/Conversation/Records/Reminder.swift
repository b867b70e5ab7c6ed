package import Foundation

/// A reminder for the patient, once or on days of the week.
package struct Reminder: Sendable, Equatable {
    /// The purpose of a reminder.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case medicine, appointment, meal, activity, other
    }

    /// The schedule of a reminder.
    package enum Schedule: Sendable, Equatable {
        /// One instant.
        case once(Date)
        /// A time of day, in the patient's zone, on these days of the week (1 is Sunday, 7 Saturday).
        case weekly(hour: Int, minute: Int, days: Set<Int>)
    }

    /// The status of one due time.
    package struct Event: Sendable, Equatable {
        /// The status of a due time.
        package enum Status: String, Sendable, Codable, CaseIterable {
            case sent, done, missed
        }

        /// The due time.
        package let dueAt: Date
        /// The status.
        package let status: Status
        /// The time when the status was recorded.
        package let at: Date

        package init(dueAt: Date, status: Status, at: Date) {
            self.dueAt = dueAt
            self.status = status
            self.at = at
        }
    }

    /// The reminder's identity.
    package let id: ReminderID
    /// The spoken name: "blood pressure pill".
    package let title: String
    /// The purpose.
    package let kind: Kind
    /// The schedule.
    package let schedule: Schedule
    /// The events of the last two days.
    package let events: [Event]

    package init(id: ReminderID, title: String, kind: Kind, schedule: Schedule, events: [Event] = []) {
        self.id = id
        self.title = title
        self.kind = kind
        self.schedule = schedule
        self.events = events
    }

    /// Returns the due times from one instant up to but not including another, in order, at most 400.
    package func dueTimes(from start: Date, until end: Date, in timeZone: TimeZone) -> [Date] {
        switch schedule {
        case .once(let date):
            return date >= start && date < end ? [date] : []
        case .weekly(let hour, let minute, let days):
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = timeZone
            return Self.days(from: start, until: end, calendar).compactMap { day in
                guard days.contains(calendar.component(.weekday, from: day)) else { return nil }
                let due = calendar.date(bySettingHour: hour, minute: minute, second: 0, of: day)
                return due.flatMap { $0 >= start && $0 < end ? $0 : nil }
            }
        }
    }

    private static func days(from start: Date, until end: Date, _ calendar: Calendar) -> [Date] {
        var days: [Date] = []
        var day = calendar.startOfDay(for: start)
        while day < end, days.count < 400 {
            days.append(day)
            guard let next = calendar.date(byAdding: .day, value: 1, to: day) else { break }
            day = next
        }
        return days
    }
}
