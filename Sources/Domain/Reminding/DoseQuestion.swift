package import Foundation

/// The question whether a dose was taken, and only once, which the next message may answer.
package struct DoseQuestion: Sendable, Equatable, Codable {
    /// How long an answer is waited for, in seconds.
    package static let patience: TimeInterval = 600

    /// The reminder of the medicine.
    package let reminder: ReminderID
    /// The due time of the dose.
    package let dueAt: Date
    /// When it was asked; a message spoken before is no answer.
    package let askedAt: Date

    package init(of reminder: ReminderID, dueAt: Date, askedAt: Date) {
        self.reminder = reminder
        self.dueAt = dueAt
        self.askedAt = askedAt
    }

    /// Whether a message of an instant may answer it.
    package func isOpen(at date: Date) -> Bool { (0...Self.patience).contains(date.timeIntervalSince(askedAt)) }
}
