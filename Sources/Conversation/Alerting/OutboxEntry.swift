/// An alert that was taken from the outbox, and is kept from other replicas until its lease ends.
package struct OutboxEntry: Sendable, Equatable {
    /// Whose customer the patient is.
    package let tenant: TenantID
    /// About whom.
    package let patient: PatientID
    /// Which alert.
    package let alert: AlertID
    /// How often it has been taken, this time included; tells its present taker from earlier ones.
    package let attempts: Int

    /// Makes an entry from the record.
    package init(tenant: TenantID, patient: PatientID, alert: AlertID, attempts: Int) {
        self.tenant = tenant
        self.patient = patient
        self.alert = alert
        self.attempts = attempts
    }
}
