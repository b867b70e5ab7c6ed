package import Runtime

/// What operators read of single turns.
package protocol TurnReads: Sendable {
    /// A turn in full; nil when the tenant has none such of this patient.
    func turn(
        _ message: MessageID,
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> TurnRecord?
}
