package import Foundation

/// A decision that a human must be notified, with its evidence.
package struct Alert: Sendable, Equatable, Codable {
    /// The alert's identity.
    package let id: AlertID
    /// The urgency.
    package let level: Level
    /// The category of the danger.
    package let category: Category
    /// The deciding finding; nil without a message, as for the emergency button.
    package let finding: Finding?
    /// A sentence for the recipient, without the patient's own words.
    package let summary: String
    /// The delay in seconds with which the deciding message arrived.
    package let lateBy: TimeInterval

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
