package import Runtime

/// Stores facts in the system of record.
package protocol FactRecords: Sendable {
    /// Stores facts that were said in a message.
    ///
    /// A fact that contradicts one of the same kind and subject supersedes it; the old fact stays as history. Of a
    /// protected kind both stand until a person decides.
    func store(
        _ facts: [Fact],
        from message: MessageID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError)
}
