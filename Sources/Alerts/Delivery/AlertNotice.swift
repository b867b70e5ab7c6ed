package import Conversation
import Foundation

/// What one recipient is told: the words, and what a device needs besides them.
package struct AlertNotice: Sendable, Equatable {
    /// Which dispatch; the idempotency key for the provider.
    package let dispatch: DispatchID
    /// Which alert.
    package let alert: AlertID
    /// About whom.
    package let patient: PatientID
    /// How soon.
    package let level: Level
    /// What about.
    package let category: Conversation.Category
    /// A few words for a lock screen.
    package let title: String
    /// What has happened and how soon to act, without the patient's own words.
    package let body: String
    /// Where the recipient takes the alert on; nil for the operators.
    package let link: String?
    /// Where the recipient's provider and device say what became of the message; nil for the operators.
    package let receipts: String?
    /// The contact; nil for the operators.
    package let contact: ContactDetails?
    /// Where the patient is.
    package let details: AlertDetails
    /// What the words of this dispatch hold and those of no other; nil for the operators.
    package let marker: String?
    /// Whether the same message may have been sent before.
    package var mayBeRepeated: Bool

    /// Makes a notice.
    package init(
        dispatch: DispatchID,
        alert: AlertID,
        patient: PatientID,
        level: Level,
        category: Conversation.Category,
        title: String,
        body: String,
        link: String?,
        receipts: String?,
        contact: ContactDetails?,
        details: AlertDetails,
        marker: String?,
        mayBeRepeated: Bool
    ) {
        self.dispatch = dispatch
        self.alert = alert
        self.patient = patient
        self.level = level
        self.category = category
        self.title = title
        self.body = body
        self.link = link
        self.receipts = receipts
        self.contact = contact
        self.details = details
        self.marker = marker
        self.mayBeRepeated = mayBeRepeated
    }

    /// A line for channels that show no title of their own.
    package var line: String { body + (link.map { " " + $0 } ?? "") }
}
