package import Foundation

/// Words about reminders that were read back, or asked about, and wait for an answer.
///
/// They are kept as they were said: what a yes does is read from them again, so that it is what was read back.
package struct ReminderProposal: Sendable, Equatable, Codable {
    /// How long an answer is waited for.
    package static let patience: TimeInterval = 600

    /// Names the reminder that a yes makes, so that it is made once.
    package let id: ReminderID
    /// The words.
    package let words: String
    /// When they were said.
    package let saidAt: Date
    /// True if they leave nothing open, so that a yes settles them.
    package let isWhole: Bool

    package init(id: ReminderID, words: String, saidAt: Date, isWhole: Bool) {
        self.id = id
        self.words = words
        self.saidAt = saidAt
        self.isWhole = isWhole
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
}

/// Stores what a patient wants of reminders.
package typealias ReminderDesk = PatientDevices & PatientRoster & RequestRecords
