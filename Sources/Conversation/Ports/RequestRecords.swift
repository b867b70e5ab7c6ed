package import Runtime

/// A request that changes something, by its caller's name for it.
package struct NamedRequest: Sendable, Equatable {
    /// The caller's name.
    package let key: String
    /// What was asked, in short: another under the same key is refused.
    package let fingerprint: String

    /// Names a request.
    package init(key: String, fingerprint: String) {
        self.key = key
        self.fingerprint = fingerprint
    }
}

/// The requests that leave nothing else under their keys; each is kept for a day.
package protocol RequestRecords: Sendable {
    /// Takes note of a request about a patient; returns whether the same was noted before.
    ///
    /// - Throws: ``RecordsError/keyTaken(_:)`` when the key was used for another request, and
    ///   ``RecordsError/unknownPatient(_:)``.
    func note(
        _ request: NamedRequest,
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool

    /// Stores a contact of a patient, unless the same request has done so before; returns whether it has.
    ///
    /// - Throws: As ``note(_:of:tenant:by:)``; then nothing is stored.
    func store(
        _ contact: ContactDetails,
        of patient: PatientID,
        tenant: TenantID,
        under request: NamedRequest,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool

    /// Stores a reminder of a patient, unless the same request has done so before; returns whether it has.
    ///
    /// - Throws: As ``note(_:of:tenant:by:)``; then nothing is stored.
    func store(
        _ reminder: Reminder,
        of patient: PatientID,
        tenant: TenantID,
        under request: NamedRequest,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool
}
