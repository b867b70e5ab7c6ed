package import Conversation
package import Foundation
package import Runtime

/// Counts the findings of rules.
extension PostgresRecords: RuleHits {
    package func ruleHits(
        of tenant: TenantID,
        since date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> [String: Int] {
        let call = RuleCounting.hits(.uuid(tenant.uuid), .time(date))
        let counts = try await read(tenant, on: .background, by: deadline, call)[0].map { row throws(RecordsError) in
            (try row.read(String.self), try row.read(Int.self))
        }
        return Dictionary(counts) { first, _ in first }
    }
}

/// The statement that counts findings.
enum RuleCounting {
    /// Finds each patient's messages through ``messages_newest``.
    static let hits = Statement(
        "rule_hits",
        [.uuid, .timestamp],
        """
        SELECT finding ->> 'rule', count(DISTINCT m.id)
        FROM people p
        JOIN messages m ON m.patient_id = p.id AND m.spoken_at >= $2
        CROSS JOIN LATERAL jsonb_array_elements(m.screening -> 'findings') finding
        WHERE p.tenant_id = $1 AND finding ->> 'level' <> 'none' AND finding ->> 'rule' IS NOT NULL
        GROUP BY 1
        """
    )
}
