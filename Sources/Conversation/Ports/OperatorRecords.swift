package import Foundation
package import Runtime

/// The operators of all tenants, their sessions, and the trail of what they did.
package protocol OperatorRecords: Sendable {
    /// Stores a new operator of an open tenant with the slow hash of the key.
    func store(_ person: Operator, keyHash: String, by deadline: Deadline) async throws(RecordsError)

    /// Every operator of a tenant, revoked ones too, newest first.
    func operators(of tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> [Operator]

    /// Revokes an operator's key and ends the operator's sessions; returns whether the key was good until now.
    func revoke(_ person: OperatorID, tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> Bool

    /// Counts an attempt to sign in, and reads what the key must fit; nil when there is no such operator.
    ///
    /// Attempts are counted before they are looked at, so that many at once are not more than many in turn. Comes before a
    /// tenant is known: whoever names the operator sees that one.
    ///
    /// - Parameter penalties: For how long nothing is looked at after the first, second, … attempt in a row that failed;
    ///   the last one holds for all that follow.
    func attemptSignIn(
        _ person: OperatorID,
        at date: Date,
        penalties: [Duration],
        by deadline: Deadline
    ) async throws(RecordsError) -> SignInAttempt?

    /// Stores a session, and forgets the attempts that came before it and sessions that began before a date.
    func open(
        _ session: OperatorSession,
        forgettingBefore date: Date,
        by deadline: Deadline
    ) async throws(RecordsError)

    /// The session with a digest, its operator as it is now; nil when there is none or the key was revoked.
    ///
    /// Comes before a tenant is known, as ``attemptSignIn(_:at:penalties:by:)`` does.
    ///
    /// - Parameter isUse: Whether to note, to the minute, that the session was used.
    func session(
        digest: String,
        at date: Date,
        isUse: Bool,
        by deadline: Deadline
    ) async throws(RecordsError) -> OperatorSession?

    /// Ends a session.
    func end(_ session: OperatorSession, by deadline: Deadline) async throws(RecordsError)

    /// Writes a line of the audit trail, which can be added to and read and nothing more.
    func audit(_ entry: AuditEntry, tenant: TenantID, by deadline: Deadline) async throws(RecordsError)
}
