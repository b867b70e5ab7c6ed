/// An entry of the audit trail, such as a refused callback.
package struct AuditEntry: Sendable, Equatable {
    /// The actor: "callback 203.0.113.7", "operator".
    package let actor: String
    /// The action, in a few words joined by underscores.
    package let action: String
    /// The patient concerned; nil when there is none.
    package let patient: PatientID?
    /// Details by name, without patient text.
    package let details: [String: String]

    package init(actor: String, action: String, patient: PatientID? = nil, details: [String: String] = [:]) {
        self.actor = actor
        self.action = action
        self.patient = patient
        self.details = details
    }
}
