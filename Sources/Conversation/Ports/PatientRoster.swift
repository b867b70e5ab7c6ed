package import Runtime

/// Stores tenants, patients and their data for set-up and operators.
///
/// Storing an identity again replaces the stored value. Every call is one round trip and sees its own tenant only.
package protocol PatientRoster: Sendable {
    /// Creates a tenant, or renames it.
    func openTenant(_ tenant: TenantID, name: String, by deadline: Deadline) async throws(RecordsError)

    /// Stores a patient of an open tenant.
    func store(_ patient: Patient, by deadline: Deadline) async throws(RecordsError)

    /// Enrols a patient of an open tenant, or changes the given values of an enrolled one.
    func change(_ change: PatientChange, by deadline: Deadline) async throws(RecordsError)

    /// Stores a contact of a patient.
    func store(
        _ contact: ContactDetails,
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError)

    /// Stores a reminder of a patient, without its events.
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

    /// Ends a reminder, which stays as history; returns whether it was active.
    func end(
        _ reminder: ReminderID,
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool
}
