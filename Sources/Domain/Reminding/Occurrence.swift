package import Foundation

/// One due time of a reminder, with what became of it.
package struct Occurrence: Sendable, Equatable {
    /// How far it has come.
    package enum State: String, Sendable, CaseIterable {
        /// The patient is to be told, or told again after a failure.
        case due
        /// A push is under way, or its sender has died.
        case sending
        /// A provider has accepted the push, and nobody has answered.
        case sent
        /// The patient is to be told again later, as they asked.
        case snoozed
        /// The patient has done it.
        case done
        /// It was left out: by the patient, by a pause, or because its time had passed harmlessly.
        case skipped
        /// It was not answered, or not sent in time.
        case missed

        /// True if something may still become of it.
        package var isOpen: Bool {
            switch self {
            case .due, .sending, .sent, .snoozed: true
            case .done, .skipped, .missed: false
            }
        }
    }

    /// A step of its history that has a time.
    package typealias Step = Reminder.Event.Status

    /// What tells it from every other of the patient.
    package struct Key: Sendable, Hashable {
        /// The reminder.
        package let reminder: ReminderID
        /// The due time.
        package let dueAt: Date

        package init(_ reminder: ReminderID, _ dueAt: Date) {
            self.reminder = reminder
            self.dueAt = dueAt
        }
    }

    /// Seconds after which somebody who asked to hear it later is told again.
    package static let snooze: TimeInterval = 600

    /// The reminder and the due time.
    package let key: Key
    /// What the clock on the wall showed when it was entered; nil for a reminder of one instant.
    package let wallTime: String?
    /// How far it has come.
    package var state: State
    /// When the patient is to be told, the lead time and a wish to hear it later included.
    package var remindAt: Date
    /// The earliest next attempt after one that failed; nil without such.
    package var retryAt: Date?
    /// How often the patient has asked to hear it later; each round has a push of its own.
    package var round: Int
    /// The attempts to send it in all rounds.
    package var attempts: Int
    /// When each step was last taken.
    package var times: [Step: Date]

    package init(
        _ key: Key,
        wallTime: String? = nil,
        state: State = .due,
        remindAt: Date,
        retryAt: Date? = nil,
        round: Int = 0,
        attempts: Int = 0,
        times: [Step: Date] = [:]
    ) {
        self.key = key
        self.wallTime = wallTime
        self.state = state
        self.remindAt = remindAt
        self.retryAt = retryAt
        self.round = round
        self.attempts = attempts
        self.times = times
    }

    /// The steps with their times, in order.
    package var history: [(step: Step, at: Date)] {
        Step.allCases.compactMap { step in times[step].map { (step, $0) } }.sorted { $0.at < $1.at }
    }

    /// The same after an answer or a device's report.
    ///
    /// What is settled stays settled, except that what was missed or left out may still be done.
    package func answered(_ step: Step, at date: Date) -> Occurrence {
        var answered = self
        switch step {
        case .done:
            answered = settled(.done, .done, at: times[.done] ?? date)
        case .skipped where state.isOpen:
            answered = settled(.skipped, .skipped, at: date)
        case .snoozed where state.isOpen:
            answered = settled(.snoozed, .snoozed, at: date)
            answered.round += 1
            answered.remindAt = date.addingTimeInterval(Self.snooze)
        case .delivered, .heard:
            answered.times[step] = times[step] ?? date
        case .sent, .missed, .skipped, .snoozed: break
        }
        return answered
    }

    /// The same after a step that leads to a state.
    package func settled(_ state: State, _ step: Step, at date: Date) -> Occurrence {
        var settled = self
        settled.state = state
        settled.times[step] = date
        settled.retryAt = nil
        return settled
    }
}
