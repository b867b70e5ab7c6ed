package import Foundation
import Reminders

/// Words about reminders that were read back, or asked about, and wait for an answer.
///
/// They are kept as they were said, with what was read back of them. What a yes does is read from them again, and done
/// only where that is still what was read back.
package struct ReminderProposal: Sendable, Equatable, Codable {
    /// How long an answer is waited for.
    package static let patience: TimeInterval = 600

    /// A reminder that a yes changes, as it was when the change was read back.
    package struct Target: Sendable, Equatable, Codable {
        /// Its identity.
        package let id: ReminderID
        /// What it said then.
        package let content: String

        /// Keeps what a reminder says.
        package init(_ reminder: Reminder) {
            id = reminder.id
            content = reminder.content
        }
    }

    /// Names the reminder that a yes makes, so that it is made once.
    package let id: ReminderID
    /// The words.
    package let words: String
    /// When they were said.
    package let saidAt: Date
    /// What was read back; nil while something is left open, so that a yes settles nothing.
    package let plan: String?
    /// The reminder that a yes changes or ends; nil when there is none.
    package let target: Target?
    /// True if the words leave nothing open; the previous release reads it.
    private let isWhole: Bool

    package init(id: ReminderID, words: String, saidAt: Date, plan: String? = nil, target: Target? = nil) {
        self.id = id
        self.words = words
        self.saidAt = saidAt
        self.plan = plan
        self.target = target
        isWhole = plan != nil
    }
}

/// What a yes does to a patient's reminders.
package enum ReminderDeed: Sendable, Equatable {
    /// One is made.
    case make(Reminder)
    /// One takes the place of the one with its identity.
    case replace(Reminder)
    /// One is ended.
    case end(ReminderID)
    /// The hours of rest are set.
    case rest(QuietHours)

    /// The reminder that it changes or ends; nil when there is none.
    package var target: ReminderID? {
        switch self {
        case .replace(let reminder): reminder.id
        case .end(let id): id
        case .make, .rest: nil
        }
    }
}

extension Reminder {
    /// Everything of it that somebody can change, in one line.
    fileprivate var content: String {
        let due: String =
            switch schedule {
            case .once(let date): "\(date.timeIntervalSince1970)"
            case .weekly(let hour, let minute, let days): "\(hour):\(minute) \(days.sorted())"
            case .recurring(let recurrence): recurrence.text
            }
        let pause = pause.map { "\($0.from.timeIntervalSince1970) \($0.until?.timeIntervalSince1970 ?? 0)" } ?? ""
        return [title, kind.rawValue, due, dose ?? "", "\(leadMinutes)", pause, "\(isCritical)"].joined(separator: "|")
    }
}

/// Stores what a patient wants of reminders.
package typealias ReminderDesk = PatientDevices & PatientRoster & RequestRecords
