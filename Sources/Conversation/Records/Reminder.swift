package import Foundation

/// Something that the patient is reminded of, once or on days of the week.
package struct Reminder: Sendable, Equatable {
    /// What a reminder is for.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case medicine, appointment, meal, activity, other
    }

    /// When it is due.
    package enum Schedule: Sendable, Equatable {
        /// At one instant.
        case once(Date)
        /// At a time of day, in the patient's zone, on these days of the week (1 is Sunday, 7 Saturday).
        case weekly(hour: Int, minute: Int, days: Set<Int>)
    }

    /// What is known of one time at which it was due.
    package struct Event: Sendable, Equatable {
        /// What became of it.
        package enum Status: String, Sendable, Codable, CaseIterable {
            case sent, done, missed
        }

        /// When it was due.
        package let dueAt: Date
        /// What became of it.
        package let status: Status
        /// When that was recorded.
        package let at: Date

        /// Makes an event from the record.
        package init(dueAt: Date, status: Status, at: Date) {
            self.dueAt = dueAt
            self.status = status
            self.at = at
        }
    }

    /// Which reminder.
    package let id: ReminderID
    /// What it is called when spoken: "blood pressure pill".
    package let title: String
    /// What it is for.
    package let kind: Kind
    /// When it is due.
    package let schedule: Schedule
    /// What is known of the last two days.
    package let events: [Event]

    /// Makes a reminder from the record.
    package init(id: ReminderID, title: String, kind: Kind, schedule: Schedule, events: [Event] = []) {
        self.id = id
        self.title = title
        self.kind = kind
        self.schedule = schedule
        self.events = events
    }

    /// The times at which it is due from one instant up to but not including another, in order; at most 400.
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
