package import Foundation
package import Reminders

/// Something that the patient is reminded of, once or again and again.
package struct Reminder: Sendable, Equatable {
    /// What a reminder is for.
    package typealias Kind = ReminderKind
    /// When it is due.
    package typealias Schedule = ReminderSchedule

    /// A time in which it is not due.
    package struct Pause: Sendable, Equatable {
        /// When it begins.
        package let from: Date
        /// When it ends; nil while nobody has ended it.
        package let until: Date?

        /// Makes a pause.
        package init(from: Date, until: Date? = nil) {
            self.from = from
            self.until = until
        }

        /// Whether an instant lies in it.
        func holds(_ date: Date) -> Bool { date >= from && until.map { date < $0 } ?? true }
    }

    /// The status of one due time.
    package struct Event: Sendable, Equatable {
        /// What can become of a due time.
        package enum Status: String, Sendable, Codable, CaseIterable {
            case sent, delivered, heard, snoozed, missed, skipped, done
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
    /// Of a medicine, how much of it: "500 mg"; nil when the record does not say.
    package let dose: String?
    /// How many minutes before it is due the patient is reminded of it.
    package let leadMinutes: Int
    /// The last time in which it was not due; nil when there was none.
    package let pause: Pause?
    /// True for a medicine whose missing people are told of.
    package let isCritical: Bool
    /// What is known of the last two days.
    package let events: [Event]

    /// Makes a reminder from the record.
    package init(
        id: ReminderID,
        title: String,
        kind: Kind,
        schedule: Schedule,
        dose: String? = nil,
        leadMinutes: Int = 0,
        pause: Pause? = nil,
        isCritical: Bool = false,
        events: [Event] = []
    ) {
        self.id = id
        self.title = title
        self.kind = kind
        self.schedule = schedule
        self.dose = dose
        self.leadMinutes = leadMinutes
        self.pause = pause
        self.isCritical = isCritical
        self.events = events
    }

    /// True if it is a dose of a medicine.
    package var isMedicine: Bool { kind == .medicine }

    /// Whether it is not due until somebody resumes it.
    package var isPaused: Bool { pause.map { $0.until == nil } ?? false }

    /// The times at which it is due from one instant up to but not including another, in order; at most 400.
    package func dueTimes(from start: Date, until end: Date, in timeZone: TimeZone) -> [Date] {
        let due = schedule.dueTimes(from: start, until: end, in: timeZone)
        guard let pause else { return due }
        return due.filter { !pause.holds($0) }
    }

    /// The first time after an instant at which it is due and not done already; nil when there is none within a year.
    package func next(after date: Date, in timeZone: TimeZone) -> Date? {
        guard !isPaused else { return nil }
        for days in [8, 366] {
            let end = date.addingTimeInterval(Double(days) * 86_400)
            let due = dueTimes(from: date.addingTimeInterval(0.001), until: end, in: timeZone)
            if let next = due.first(where: { status(at: $0) != .done }) { return next }
        }
        return nil
    }

    /// What became of it at a time at which it was due; nil when nothing is known.
    package func status(at due: Date) -> Event.Status? {
        let known = events.filter { abs($0.dueAt.timeIntervalSince(due)) < 1 && !$0.status.isReceipt }
        return known.max { ($0.at, $0.status.rank) < ($1.at, $1.status.rank) }?.status
    }

    /// The same with other events.
    package func with(_ events: [Event]) -> Reminder {
        Reminder(
            id: id,
            title: title,
            kind: kind,
            schedule: schedule,
            dose: dose,
            leadMinutes: leadMinutes,
            pause: pause,
            isCritical: isCritical,
            events: events
        )
    }
}

extension Reminder.Event.Status {
    /// True for what a telephone reports of its own accord, which says nothing of the patient.
    package var isReceipt: Bool { self == .delivered || self == .heard }

    /// Which of two events that were recorded at the same instant came last.
    fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
