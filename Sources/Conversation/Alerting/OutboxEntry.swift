/// An alert that was claimed from the outbox, under a lease.
package struct OutboxEntry: Sendable, Equatable {
    /// The patient's tenant.
    package let tenant: TenantID
    /// The patient concerned.
    package let patient: PatientID
    /// The alert.
    package let alert: AlertID
    /// The number of claims, this one included; distinguishes the present owner from earlier ones.
    package let attempts: Int

    package init(tenant: TenantID, patient: PatientID, alert: AlertID, attempts: Int) {
        self.tenant = tenant
        self.patient = patient
        self.alert = alert
        self.attempts = attempts
    }
}
