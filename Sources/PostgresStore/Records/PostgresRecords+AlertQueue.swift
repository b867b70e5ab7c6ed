package import Domain
import Foundation
package import Runtime

/// Reads and updates the operators' queue of alerts.
extension PostgresRecords: AlertQueue {
    package func unacknowledgedAlerts(
        of tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> [QueuedAlert] {
        let call = AlertQueueStatements.waiting(.uuid(tenant.uuid), .integer(Int64(limit)))
        return try await read(tenant, on: .background, by: deadline, call)[0].map(AlertQueueStatements.readQueued)
    }

    package func acknowledgedAlerts(
        of tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> [QueuedAlert] {
        let call = AlertQueueStatements.taken(.uuid(tenant.uuid), .integer(Int64(limit)))
        return try await read(tenant, on: .background, by: deadline, call)[0].map(AlertQueueStatements.readQueued)
    }

    package func sheet(
        of alert: AlertID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> AlertReport? {
        let ids = (PostgresValue.uuid(tenant.uuid), PostgresValue.uuid(alert.uuid))
        let found = try await read(tenant, on: .background, by: deadline, AlertQueueStatements.sheet(ids.0, ids.1))[0]
        guard let facts = try found.first(AlertQueueStatements.readSheet) else { return nil }
        let patient = PostgresValue.uuid(facts.queued.line.patient.uuid)
        let results = try await read(
            tenant,
            on: .background,
            by: deadline,
            AlertQueueStatements.around(patient, ids.1),
            AlertReadStatements.history(patient, ids.1)
        )
        return AlertReport(
            queued: facts.queued,
            summary: facts.summary,
            rule: facts.rule,
            message: facts.message,
            handoverNote: facts.handoverNote,
            messages: try results[0].map(AppReadStatements.readMessage),
            history: try results[1].map(AlertReadStatements.readHistory)
        )
    }

    package func handOver(
        _ alert: AlertID,
        tenant: TenantID,
        _ handover: AlertHandover,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        let call = AlertQueueStatements.handOver(
            .uuid(tenant.uuid),
            .uuid(alert.uuid),
            .text("operator \(handover.from)"),
            .text(handover.to),
            .text(handover.note)
        )
        return try await write(tenant, on: .background, by: deadline, [call])[0].count > 0
    }
}

/// The statements of the operators' queue, and the readers of their rows.
enum AlertQueueStatements {
    struct ReportFacts {
        let queued: QueuedAlert
        let summary: String
        let rule: String?
        let message: MessageID?
        let handoverNote: String
    }

    private static let columns = """
        a.id, a.patient_id, a.level, a.category, a.state, a.created_at, a.acknowledged_at, p.display_name, o.due_at,
        (SELECT count(DISTINCT d.contact_id) FROM dispatches d
            WHERE d.patient_id = a.patient_id AND d.alert_id = a.id AND d.state IN ('accepted', 'delivered', 'seen'))
        """

    private static let source = """
        FROM alerts a
        JOIN people p ON p.id = a.patient_id
        LEFT JOIN outbox o ON o.patient_id = a.patient_id AND o.alert_id = a.id AND o.closed_at IS NULL
        """

    /// Time by which somebody must acknowledge the alert, from its level; null for levels without a limit.
    private static let due: String = {
        let cases = Level.allCases.compactMap { level in
            level.acknowledgement.map { "WHEN '\(level.rawValue)' THEN interval '\($0.seconds) seconds'" }
        }
        return "a.created_at + CASE a.level \(cases.joined(separator: " ")) END"
    }()

    static let waiting = Statement(
        "queue_waiting",
        [.uuid, .int8],
        """
        SELECT \(columns) \(source)
        WHERE a.tenant_id = $1
            AND a.state IN ('recorded', 'held', 'waiting', 'notified', 'escalated', 'exhausted')
        ORDER BY \(due) NULLS LAST, a.created_at, a.id
        LIMIT $2
        """
    )

    static let taken = Statement(
        "queue_taken",
        [.uuid, .int8],
        """
        SELECT \(columns) \(source)
        WHERE a.tenant_id = $1 AND a.state = 'acknowledged'
        ORDER BY a.acknowledged_at, a.id
        LIMIT $2
        """
    )

    static let sheet = Statement(
        "queue_sheet",
        [.uuid, .uuid],
        """
        SELECT \(columns), a.summary, a.rule, a.message_id, a.handover_note \(source)
        WHERE a.tenant_id = $1 AND a.id = $2
        """
    )

    static let around = Statement(
        "queue_around",
        [.uuid, .uuid],
        """
        WITH centre AS (
            SELECT coalesce(m.spoken_at, a.created_at) AS at FROM alerts a
            LEFT JOIN messages m ON m.patient_id = a.patient_id AND m.id = a.message_id
            WHERE a.patient_id = $1 AND a.id = $2
        )
        SELECT \(AppReadStatements.messageColumns) FROM (
            (SELECT m.* FROM messages m, centre
                WHERE m.patient_id = $1 AND m.spoken_at <= centre.at AND m.spoken_at > centre.at - interval '1 day'
                ORDER BY m.spoken_at DESC, m.id DESC LIMIT 10)
            UNION ALL
            (SELECT m.* FROM messages m, centre
                WHERE m.patient_id = $1 AND m.spoken_at > centre.at AND m.spoken_at < centre.at + interval '1 day'
                ORDER BY m.spoken_at, m.id LIMIT 10)
        ) around
        ORDER BY spoken_at, id
        """
    )

    static let handOver = Statement(
        "alert_hand_over",
        [.uuid, .uuid, .text, .text, .text],
        """
        WITH handed AS (
            UPDATE alerts SET handover_note = $5
            WHERE tenant_id = $1 AND id = $2 AND state = 'acknowledged'
            RETURNING patient_id, tenant_id, id
        )
        INSERT INTO alert_transitions (patient_id, tenant_id, alert_id, state, actor, note, at)
        SELECT patient_id, tenant_id, id, 'handed_over', $3, 'to ' || $4, now() FROM handed
        RETURNING id
        """
    )

    static func readQueued(_ row: inout PostgresRow) throws(RecordsError) -> QueuedAlert {
        QueuedAlert(
            line: try AlertReadStatements.readLine(&row),
            patientName: try row.read(),
            nextStepAt: try row.readIfPresent(),
            told: try row.read()
        )
    }

    static func readSheet(_ row: inout PostgresRow) throws(RecordsError) -> ReportFacts {
        ReportFacts(
            queued: try readQueued(&row),
            summary: try row.read(),
            rule: try row.readIfPresent(),
            message: try row.readIfPresent(UUID.self).map(MessageID.init),
            handoverNote: try row.read()
        )
    }
}
