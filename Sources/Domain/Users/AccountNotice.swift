package import Foundation
package import Runtime

/// A mail to a user: about a change of the own account, or a handover of an incident.
package enum AccountNoticeKind: String, Sendable, CaseIterable {
    /// The password is another one.
    case passwordChanged = "password_changed"
    /// An authenticator app counts from now on, the first one or another one.
    case factorSet = "factor_set"
    /// No authenticator app is asked for any more.
    case factorRemoved = "factor_removed"
    /// A telephone signs the user in with a key.
    case keyAdded = "key_added"
    /// A colleague hands an incident over to the user.
    case handedOver = "handed_over"
    /// An incident came back to the user, because the colleague did not accept it in time.
    case handoverReturned = "handover_returned"
    /// The user did not accept an incident in time.
    case handoverLapsed = "handover_lapsed"

    /// The age from which a mail of it is of no use.
    package var longestDelay: Duration {
        switch self {
        case .passwordChanged, .factorSet, .factorRemoved, .keyAdded: .seconds(2 * 86_400)
        case .handedOver, .handoverReturned, .handoverLapsed: .seconds(1_800)
        }
    }
}

/// A notice that was claimed, under a lease.
package struct ClaimedAccountNotice: Sendable, Equatable {
    package let tenant: TenantID
    package let user: UserID
    /// The identity of the notice, which its mail has too.
    package let id: UUID
    package let kind: AccountNoticeKind
    /// The time of the change.
    package let at: Date
    /// The number of claims, this one included; distinguishes the present owner from earlier ones.
    package let attempts: Int64

    package init(tenant: TenantID, user: UserID, id: UUID, kind: AccountNoticeKind, at date: Date, attempts: Int64) {
        self.tenant = tenant
        self.user = user
        self.id = id
        self.kind = kind
        at = date
        self.attempts = attempts
    }
}

/// Gives the notices of changes, which are stored together with those, to any number of replicas.
package protocol AccountNoticeRecords: Sendable {
    /// Claims due notices, the longest overdue first, and leases them for a while.
    func claimNotices(
        limit: Int,
        at date: Date,
        lease: Duration,
        by deadline: Deadline
    ) async throws(RecordsError) -> [ClaimedAccountNotice]

    /// Returns the mail address to which a notice goes; nil when the user is gone.
    func noticeAddress(of user: UserID, tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> String?

    /// Removes a notice that is done, or has it tried again; returns false when another replica holds the lease.
    ///
    /// - Parameter next: The time of the next try; nil when it is done.
    func settle(_ claim: ClaimedAccountNotice, next: Date?, by deadline: Deadline) async throws(RecordsError) -> Bool
}
