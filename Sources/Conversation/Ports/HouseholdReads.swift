package import Runtime

/// The patients of a tenant with those who may be told, page by page.
package protocol HouseholdReads: Sendable {
    /// The patients that come after one by their identities, with their contacts; an empty page is the last.
    func households(
        of tenant: TenantID,
        after patient: PatientID?,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> [(patient: Patient, contacts: [ContactDetails])]
}
