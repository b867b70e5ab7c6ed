package import Runtime

/// A changing request with its idempotency key.
package struct NamedRequest: Sendable, Equatable {
    /// The caller's key.
    package let key: String
    /// A digest of the request; a different request under the same key is refused.
    package let fingerprint: String

    /// Names a request.
    package init(key: String, fingerprint: String) {
        self.key = key
        self.fingerprint = fingerprint
    }
}

/// Stores requests that leave nothing else under their keys; each is kept for a day.
package protocol RequestRecords: Sendable {
    /// Notes a request about a patient; returns whether the same request was noted before.
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
    /// - Throws: The errors of ``note(_:of:tenant:by:)``; then nothing is stored.
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
