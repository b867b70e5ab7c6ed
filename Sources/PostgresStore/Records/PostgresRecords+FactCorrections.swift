package import Domain
package import Foundation
package import Runtime

/// Corrects and deletes facts.
extension PostgresRecords: FactCorrections {
    package func correct(
        _ fact: FactID,
        of patient: PatientID,
        tenant: TenantID,
        to text: String,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        let (owner, new) = (PostgresValue.id(patient), PostgresValue.uuid(FactID().uuid))
        let calls = [
            PatientLock.take(owner),
            FactCorrectionStatements.supersede(owner, .id(fact), new, .time(date)),
            FactCorrectionStatements.replace(owner, .id(fact), new, .text(text)),
        ]
        return try await write(tenant, on: .background, by: deadline, calls)[2].count > 0
    }

    package func delete(
        _ fact: FactID,
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        let owner = PostgresValue.id(patient)
        let call = FactCorrectionStatements.delete(owner, .id(fact))
        return try await write(tenant, on: .background, by: deadline, [PatientLock.take(owner), call])[1].count > 0
    }
}

/// The statements that correct facts.
private enum FactCorrectionStatements {
    static let supersede = Statement(
        "fact_correct_supersede",
        [.uuid, .uuid, .uuid, .timestamp],
        """
        UPDATE facts SET superseded_by = $3, superseded_at = $4
        WHERE patient_id = $1 AND id = $2 AND superseded_at IS NULL
        """
    )

    /// Writes the corrected fact under the kind and subject of the replaced one.
    static let replace = Statement(
        "fact_correct_replace",
        [.uuid, .uuid, .uuid, .text],
        """
        INSERT INTO facts (patient_id, id, tenant_id, kind, subject, text, said_at, said_by)
        SELECT patient_id, $3, tenant_id, kind, subject, $4, superseded_at, 'operator' FROM facts
        WHERE patient_id = $1 AND id = $2 AND superseded_by = $3
        RETURNING id
        """
    )

    /// Deletes a fact; the foreign key also deletes the facts that it replaced.
    static let delete = Statement(
        "fact_delete",
        [.uuid, .uuid],
        "DELETE FROM facts WHERE patient_id = $1 AND id = $2 AND superseded_at IS NULL RETURNING id"
    )
}
