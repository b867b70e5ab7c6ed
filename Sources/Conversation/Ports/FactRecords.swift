package import Runtime

/// The system of record of facts, as whoever knows some writes them.
package protocol FactRecords: Sendable {
    /// Stores facts that were said in a message. A fact that contradicts one of the same kind and subject
    /// supersedes it and keeps it as history, unless the kind is protected: then both stand until a person
    /// decides.
    func store(
        _ facts: [Fact],
        from message: MessageID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError)
}
