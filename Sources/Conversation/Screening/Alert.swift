package import Foundation

/// A decision that a human must know of something, with what it rests on.
package struct Alert: Sendable, Equatable, Codable {
    /// Which alert.
    package let id: AlertID
    /// How soon.
    package let level: Level
    /// What about.
    package let category: Category
    /// The finding that decided it; nil when no message did, as for the emergency button.
    package let finding: Finding?
    /// A sentence for the person who is told, without the patient's own words.
    package let summary: String
    /// How late the message was that decided it.
    package let lateBy: TimeInterval

    /// Makes an alert.
    package init(
        id: AlertID = AlertID(),
        level: Level,
        category: Category,
        finding: Finding?,
        summary: String,
        lateBy: TimeInterval
    ) {
        self.id = id
        self.level = level
        self.category = category
        self.finding = finding
        self.summary = summary
        self.lateBy = lateBy
    }
}
