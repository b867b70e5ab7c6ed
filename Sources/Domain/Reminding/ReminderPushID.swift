package import Foundation

/// The name of one push about one occurrence: the same for every attempt, so that a telephone shows it once.
///
/// It names the reminder, the due time and the round, and is short enough for a collapse identity (64 bytes).
package struct ReminderPushID: Sendable, Hashable, Codable, CustomStringConvertible {
    package let reminder: ReminderID
    /// The due time in whole seconds since 1970.
    package let dueSecond: Int
    /// The number of times that the patient had postponed it.
    package let round: Int

    package init(_ occurrence: Occurrence) {
        reminder = occurrence.key.reminder
        dueSecond = Int(occurrence.key.dueAt.timeIntervalSince1970.rounded(.down))
        round = occurrence.round
    }

    /// Reads an identity from its text; nil when the text has another form.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let reminder = ReminderID(String(parts[0])), let second = Int(parts[1]),
            let round = Int(parts[2]), round >= 0
        else { return nil }
        (self.reminder, dueSecond, self.round) = (reminder, second, round)
    }

    /// The text, such as "5b2e….1772352000.0".
    package var description: String { "\(reminder).\(dueSecond).\(round)" }

    /// Returns true if it names a push about a due time.
    package func isAbout(_ due: Date) -> Bool { abs(due.timeIntervalSince1970 - Double(dueSecond)) < 1 }
}
