package import Foundation
package import Runtime

/// A person as an identity provider names them.
package struct ExternalIdentity: Sendable, Equatable {
    /// The provider's name for itself.
    package let issuer: String
    /// The provider's name for the person, which never changes.
    package let subject: String

    package init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }
}

/// Stores which users the people of identity providers are.
package protocol ExternalIdentityRecords: Sendable {
    /// Returns the open account of a person with its links; nil when there is none.
    ///
    /// An account with a second factor, and a superadmin's, is never a person's of a provider.
    func user(
        of identity: ExternalIdentity,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> (user: User, links: [FamilyLink])?

    /// Makes a person the user of a mail address that the provider has verified, and the address a verified one.
    ///
    /// - Returns: False when no open account has the address, or it is another person's of the same provider.
    func link(
        _ identity: ExternalIdentity,
        toUserWith email: String,
        tenant: TenantID,
        at date: Date,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool

    /// Makes a patient, the user who signs in as this patient, and the link to a person, all or nothing.
    ///
    /// - Returns: False when the address has an account, or the patient was erased; then nothing is made.
    func makeSenior(
        _ user: User,
        as patient: NewPatient,
        for identity: ExternalIdentity,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool
}
