package import Domain
package import Foundation
package import Runtime

/// Reads alerts for operators.
extension PostgresRecords: AlertReader {
    package func alerts(
        of tenant: TenantID,
        onlyOpen: Bool,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> [AlertListItem] {
        let call = AlertReadStatements.list(.id(tenant), .bool(onlyOpen), .int(limit))
        return try await read(tenant, on: .background, by: deadline, call)[0].map(AlertReadStatements.readLine)
    }

    package func alert(
        _ id: AlertID,
        of tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> AlertListItem? {
        let call = AlertReadStatements.find(.id(tenant), .id(id))
        return try await read(tenant, on: .background, by: deadline, call)[0].first(AlertReadStatements.readLine)
    }

    package func history(
        of alert: AlertID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> [AlertHistoryEntry] {
        let call = AlertReadStatements.history(.id(patient), .id(alert))
        return try await read(tenant, on: .background, by: deadline, call)[0].map(AlertReadStatements.readHistory)
    }
}

/// The statements of the operators' reads, and the readers of their rows.
enum AlertReadStatements {
    private static let columns = "id, patient_id, level, category, state, created_at, acknowledged_at"

    static let list = Statement(
        "alerts_list",
        [.uuid, .bool, .int8],
        """
        SELECT \(columns) FROM alerts
        WHERE tenant_id = $1
            AND (NOT $2 OR state IN ('recorded', 'held', 'waiting', 'notified', 'escalated', 'exhausted'))
        ORDER BY created_at DESC, id DESC
        LIMIT $3
        """
    )

    static let find = Statement(
        "alerts_find",
        [.uuid, .uuid],
        "SELECT \(columns) FROM alerts WHERE tenant_id = $1 AND id = $2"
    )

    /// Reads the transitions of alerts with the dispatch of each.
    static let transitions = """
        SELECT t.at, t.state, t.actor,
            coalesce(d.channel || ' to ' || coalesce(c.name, CASE WHEN d.contact_id IS NULL THEN 'the operators' ELSE 'a former contact' END), ''),
            t.note
        FROM alert_transitions t
        LEFT JOIN dispatches d ON d.patient_id = t.patient_id AND d.id = t.dispatch_id
        LEFT JOIN contacts c ON c.patient_id = d.patient_id AND c.id = d.contact_id
        """

    static let history = Statement(
        "alerts_history",
        [.uuid, .uuid],
        """
        \(transitions)
        WHERE t.patient_id = $1 AND t.alert_id = $2
        ORDER BY t.at, t.id
        """
    )

    static func readLine(_ row: inout PostgresRow) throws(RecordsError) -> AlertListItem {
        AlertListItem(
            id: try row.readID(),
            patient: try row.readID(),
            level: try row.readWord(),
            category: try row.readWord(),
            state: try row.readWord(),
            raisedAt: try row.read(),
            acknowledgedAt: try row.readIfPresent()
        )
    }

    static func readHistory(_ row: inout PostgresRow) throws(RecordsError) -> AlertHistoryEntry {
        AlertHistoryEntry(
            at: try row.read(),
            state: try row.read(),
            actor: try row.read(),
            dispatch: try row.read(),
            note: try row.read()
        )
    }
}

/// Counts the findings of rules.
extension PostgresRecords: RuleHits {
    package func ruleHits(
        of tenant: TenantID,
        since date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> [String: Int] {
        let call = RuleHitStatements.hits(.id(tenant), .time(date))
        let counts = try await read(tenant, on: .background, by: deadline, call)[0].map { row throws(RecordsError) in
            (try row.read(String.self), try row.read(Int.self))
        }
        return Dictionary(counts) { first, _ in first }
    }
}

/// The statement that counts findings.
enum RuleHitStatements {
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
