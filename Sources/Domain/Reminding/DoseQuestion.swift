package import Foundation

/// The question whether a dose was taken exactly once; the next message may answer it.
package struct DoseQuestion: Sendable, Equatable, Codable {
    /// The time for which an answer is awaited, in seconds.
    package static let patience: TimeInterval = 600

    /// The reminder of the medicine.
    package let reminder: ReminderID
    /// The due time of the dose.
    package let dueAt: Date
    /// The time when it was asked; a message spoken before is no answer.
    package let askedAt: Date

    package init(of reminder: ReminderID, dueAt: Date, askedAt: Date) {
        self.reminder = reminder
        self.dueAt = dueAt
        self.askedAt = askedAt
    }

    /// Returns true if a message of an instant may answer it.
    package func isOpen(at date: Date) -> Bool { (0...Self.patience).contains(date.timeIntervalSince(askedAt)) }
}
