package import Conversation
import Foundation

/// The notice for one recipient: its text and the data that a device needs.
package struct AlertNotice: Sendable, Equatable {
    /// Dispatch of the notice; serves as the idempotency key for the provider.
    package let dispatch: DispatchID
    /// Alert that the notice announces.
    package let alert: AlertID
    /// Patient whom the alert concerns.
    package let patient: PatientID
    /// Urgency of the alert.
    package let level: Level
    /// Subject of the alert.
    package let category: Conversation.Category
    /// Short title for a lock screen.
    package let title: String
    /// The event and its urgency, without the patient's own words.
    package let body: String
    /// Address of the page that acknowledges the alert; nil for the operators.
    package let link: String?
    /// Address for delivery reports by the recipient's provider and device; nil for the operators.
    package let receipts: String?
    /// Contact who receives the notice; nil for the operators.
    package let contact: ContactDetails?
    /// Location details of the patient.
    package let details: AlertDetails
    /// Text that occurs in this dispatch's messages and in no other; nil for the operators.
    package let marker: String?
    /// True when the same message may already have been sent.
    package var mayBeRepeated: Bool

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

    /// The text in one line, for channels without a title.
    package var line: String { body + (link.map { " " + $0 } ?? "") }
}
