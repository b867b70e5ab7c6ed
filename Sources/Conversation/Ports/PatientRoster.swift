package import Runtime

/// Tenants, patients, and what is known of them beforehand, as set-up and operators write them.
///
/// Storing an identity again replaces what was stored; every call is one round trip and sees its own tenant only.
package protocol PatientRoster: Sendable {
    /// Opens a tenant, or renames it.
    func openTenant(_ tenant: TenantID, name: String, by deadline: Deadline) async throws(RecordsError)

    /// Stores a patient of an open tenant.
    func store(_ patient: Patient, by deadline: Deadline) async throws(RecordsError)

    /// Enrols a patient of an open tenant, or changes what is given of one who is there.
    func change(_ change: PatientChange, by deadline: Deadline) async throws(RecordsError)

    /// Stores a contact of a patient.
    func store(
        _ contact: ContactDetails,
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError)

    /// Stores a reminder of a patient; its events are not written.
    func store(
        _ reminder: Reminder,
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError)

    /// Puts a reminder in the place of the one in force that has its identity; returns whether there was one.
    func replace(
        _ reminder: Reminder,
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool

    /// Removes a contact; returns whether there was one.
    func remove(
        _ contact: ContactID,
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool

    /// Ends a reminder, which is kept as history; returns whether one was in force.
    func end(
        _ reminder: ReminderID,
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool
}
