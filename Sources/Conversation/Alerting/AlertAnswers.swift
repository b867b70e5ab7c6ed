package import Foundation
package import Runtime

/// What a provider or a recipient says of a dispatch.
package struct DispatchReceipt: Sendable, Equatable {
    /// Which dispatch.
    package let dispatch: DispatchID
    /// How far it has come; one of accepted, delivered, seen, failed.
    package let state: Dispatch.State
    /// The provider's name for the message; empty when it gave none.
    package let providerID: String
    /// Who says so: "twilio", "device".
    package let source: String
    /// Why it failed; empty otherwise.
    package let reason: String

    /// Makes a receipt.
    package init(
        _ dispatch: DispatchID,
        _ state: Dispatch.State,
        providerID: String = "",
        source: String,
        reason: String = ""
    ) {
        self.dispatch = dispatch
        self.state = state
        self.providerID = providerID
        self.source = source
        self.reason = reason
    }
}

/// What became of a receipt.
package enum ReceiptOutcome: Sendable, Equatable {
    /// It was taken.
    case taken
    /// The same one was taken before.
    case replayed
    /// The patient has no such dispatch.
    case unknown
}

/// How somebody takes an alert on.
package struct Acknowledgement: Sendable, Equatable {
    /// Who; nil for an operator.
    package let contact: ContactID?
    /// What the operator is called; nil for a contact, and where nobody knows.
    package let operatorName: String?
    /// By which way: "link", "sms", "console".
    package let way: String
    /// What the next person should know; empty when nothing.
    package let note: String
    /// Whether it is over, rather than begun.
    package let resolves: Bool

    /// Who, as the alert's history says it.
    package var actor: String {
        if let contact { return "contact \(contact)" }
        return operatorName.map { "operator \($0)" } ?? "operator"
    }

    /// Makes an acknowledgement.
    package init(
        by contact: ContactID?,
        operatorName: String? = nil,
        way: String,
        note: String = "",
        resolves: Bool = false
    ) {
        self.contact = contact
        self.operatorName = operatorName
        self.way = way
        self.note = note
        self.resolves = resolves
    }
}

/// What became of an acknowledgement.
package enum AcknowledgementOutcome: Sendable, Equatable {
    /// It was taken; the time since the alert was raised.
    case taken(after: Duration, level: Level)
    /// Somebody had taken the alert on before.
    case already(since: Date)
    /// The patient has no such alert, or no such contact.
    case unknown
}

/// An alert that was sent to a telephone number, as an answer from there finds it.
package struct TextedAlert: Sendable, Equatable {
    /// Whose customer the patient is.
    package let tenant: TenantID
    /// About whom.
    package let patient: PatientID
    /// Which alert.
    package let alert: AlertID
    /// By which dispatch.
    package let dispatch: DispatchID
    /// Who has the number.
    package let contact: ContactID

    /// Makes a texted alert from the record.
    package init(tenant: TenantID, patient: PatientID, alert: AlertID, dispatch: DispatchID, contact: ContactID) {
        self.tenant = tenant
        self.patient = patient
        self.alert = alert
        self.dispatch = dispatch
        self.contact = contact
    }
}

/// What comes back from those who were told.
package protocol AlertAnswers: Sendable {
    /// Takes a receipt, once for each dispatch, state and provider's name.
    func take(
        _ receipt: DispatchReceipt,
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> ReceiptOutcome

    /// Takes an alert on; what is told of an acknowledged alert ends.
    func acknowledge(
        _ alert: AlertID,
        of patient: PatientID,
        tenant: TenantID,
        _ acknowledgement: Acknowledgement,
        by deadline: Deadline
    ) async throws(RecordsError) -> AcknowledgementOutcome

    /// The newest open alert that was sent to a number within a day; nil when there is none.
    ///
    /// The one read across tenants: a text message names no tenant.
    ///
    /// - Parameter digest: SHA-256 of the number, in lower-case hexadecimal.
    func textedAlert(toNumber digest: String, by deadline: Deadline) async throws(RecordsError) -> TextedAlert?

    /// Takes back the consent of a contact who wants no more messages.
    func withdrawConsent(
        of contact: ContactID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError)

    /// Writes a line of the audit trail.
    func audit(_ entry: AuditEntry, tenant: TenantID, by deadline: Deadline) async throws(RecordsError)
}

/// Something that is kept for whoever asks later, such as a refused callback.
package struct AuditEntry: Sendable, Equatable {
    /// Who: "callback 203.0.113.7", "operator".
    package let actor: String
    /// What, in a few words joined by underscores.
    package let action: String
    /// About whom; nil when about nobody.
    package let patient: PatientID?
    /// Facts by name, without patient text.
    package let details: [String: String]

    /// Makes an entry.
    package init(actor: String, action: String, patient: PatientID? = nil, details: [String: String] = [:]) {
        self.actor = actor
        self.action = action
        self.patient = patient
        self.details = details
    }
}
