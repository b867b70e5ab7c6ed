package import Conversation
import Foundation
package import Runtime

/// Reads the patients of a tenant with their contacts.
extension PostgresRecords: HouseholdReads {
    package func households(
        of tenant: TenantID,
        after patient: PatientID?,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> [(patient: Patient, contacts: [ContactDetails])] {
        let place: [PostgresValue] = [.uuid(tenant.uuid), .uuid(orNull: patient?.uuid), .integer(Int64(limit))]
        let results = try await read(
            tenant,
            on: .background,
            by: deadline,
            Households.patients(place),
            Households.contacts(place)
        )
        let contacts = try results[1].map { row throws(RecordsError) in
            (patient: try row.readID(PatientID.self), contact: try ContactColumns.read(&row))
        }
        let own = Dictionary(grouping: contacts, by: \.patient)
        return try results[0].map(PatientColumns.read).map { ($0, (own[$0.id] ?? []).map(\.contact)) }
    }
}

/// The statements of households.
private enum Households {
    private static let page = """
        SELECT id FROM people
        WHERE tenant_id = $1 AND role = 'patient' AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3
        """

    static let patients = Statement(
        "households_patients",
        [.uuid, .uuid, .int8],
        "SELECT \(PatientColumns.names) FROM people p WHERE p.id IN (\(page)) ORDER BY p.id"
    )

    static let contacts = Statement(
        "households_contacts",
        [.uuid, .uuid, .int8],
        """
        SELECT patient_id, \(ContactColumns.names) FROM contacts
        WHERE patient_id IN (\(page)) ORDER BY patient_id, priority, id
        """
    )
}
