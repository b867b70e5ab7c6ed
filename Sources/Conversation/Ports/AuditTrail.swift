package import Foundation
package import Runtime

/// One thing that was done, as the audit trail keeps it.
package struct AuditLine: Sendable, Equatable {
    /// When.
    package let at: Date
    /// Who.
    package let actor: String
    /// What, in a few words joined by underscores.
    package let action: String
    /// Facts by name.
    package let details: [String: String]

    /// Makes a line from the record.
    package init(at date: Date, actor: String, action: String, details: [String: String]) {
        at = date
        self.actor = actor
        self.action = action
        self.details = details
    }
}

/// The audit trail, for whoever asks who did what.
package protocol AuditTrail: Sendable {
    /// What was done under one name for a tenant, the latest first.
    func audited(
        _ action: String,
        of tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> [AuditLine]
}
