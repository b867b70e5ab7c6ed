package import Runtime

/// Reads the patients of a tenant with their contacts, page by page.
package protocol HouseholdReads: Sendable {
    /// Returns the patients after one in the order of their identities, with their contacts; an empty page is the
    /// last.
    func households(
        of tenant: TenantID,
        after patient: PatientID?,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> [(patient: Patient, contacts: [ContactDetails])]
}
