package import Foundation
package import Runtime

/// One entry of the audit trail.
package struct AuditLine: Sendable, Equatable {
    /// The time of the action.
    package let at: Date
    /// The actor.
    package let actor: String
    /// The action, in a few words joined by underscores.
    package let action: String
    /// Details by name.
    package let details: [String: String]

    package init(at date: Date, actor: String, action: String, details: [String: String]) {
        at = date
        self.actor = actor
        self.action = action
        self.details = details
    }
}

/// Reads the audit trail.
package protocol AuditTrail: Sendable {
    /// Returns the entries of one action for a tenant, the latest first.
    func audited(
        _ action: String,
        of tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> [AuditLine]
}
