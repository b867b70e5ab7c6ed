package import Foundation
package import Runtime

/// Stores the one-time links by which users sign in; only digests of their tokens are stored.
package protocol SignInLinkRecords: Sendable {
    /// Returns the open account with an address, of a tenant where one is named.
    ///
    /// Nil when several tenants have one and none is named, since a link must not open the wrong one.
    func account(with email: String, of tenant: TenantID?, by deadline: Deadline) async throws(RecordsError) -> User?

    /// Stores a link of a user; returns false when the user has as many good ones as there may be.
    func storeLink(
        _ digest: String,
        of user: User,
        at date: Date,
        expiresAt end: Date,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool

    /// Uses a link up and returns its user, whose address counts as verified; nil when it is not good any more.
    func useLink(
        _ digest: String,
        tenant: TenantID,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> User?
}
