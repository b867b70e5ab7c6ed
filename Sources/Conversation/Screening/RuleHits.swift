package import Foundation
package import Runtime

/// The number of times that rules and the detector have found something in what patients said.
package protocol RuleHits: Sendable {
    /// In how many messages of a tenant each rule has found something since a date, by the rule's name; findings that were
    /// weighed and let go are not counted.
    func ruleHits(
        of tenant: TenantID,
        since date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> [String: Int]
}
