package import Foundation
package import Runtime

/// Stores the codes by which users sign in over their telephone number; only keyed digests of them are stored.
package protocol SignInCodeRecords: Sendable {
    /// Returns the open account with a telephone number, of a tenant where one is named.
    ///
    /// Nil when several have it, since a code must not open the wrong one.
    func account(
        withPhone phone: String,
        of tenant: TenantID?,
        by deadline: Deadline
    ) async throws(RecordsError) -> User?

    /// Stores a user's code in place of an earlier one.
    func storeCode(
        _ digest: String,
        of user: User,
        expiresAt end: Date,
        by deadline: Deadline
    ) async throws(RecordsError)

    /// Counts an attempt at a user's code and uses it up if it is the right one; returns true if it was.
    ///
    /// Takes the same time for a user without a code and for a made-up user.
    ///
    /// - Parameter most: The attempts after which the code is good no more.
    func useCode(
        _ digest: String,
        of user: UserID,
        tenant: TenantID,
        atMost most: Int,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool
}
