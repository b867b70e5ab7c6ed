package import Foundation
package import Runtime

/// Counts findings of rules and the detector in patients' messages.
package protocol RuleHits: Sendable {
    /// Returns the number of a tenant's messages with a finding since a date, by rule.
    ///
    /// Findings without effect are not counted.
    func ruleHits(
        of tenant: TenantID,
        since date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> [String: Int]
}
