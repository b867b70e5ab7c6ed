package import Domain
import Foundation
package import Runtime

/// Records the answers and receipts of people who were notified of an alert.
extension PostgresRecords: AlertAnswers {
    package func take(
        _ receipt: DispatchReceipt,
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> ReceiptOutcome {
        let call = AlertAnswerStatements.receipt(
            .id(patient),
            .id(receipt.dispatch),
            .id(tenant),
            .text(receipt.state.rawValue),
            .text(receipt.providerID),
            .text(receipt.source),
            .text(receipt.reason)
        )
        let results = try await write(tenant, by: deadline, [call])
        let counts = try results[0].first { row throws(RecordsError) in (try row.read(Int.self), try row.read(Int.self))
        }
        guard let (known, taken) = counts, known > 0 else { return .unknown }
        return taken > 0 ? .taken : .replayed
    }

    package func acknowledge(
        _ alert: AlertID,
        of patient: PatientID,
        tenant: TenantID,
        _ acknowledgement: Acknowledgement,
        by deadline: Deadline
    ) async throws(RecordsError) -> AcknowledgementOutcome {
        let results = try await write(
            tenant,
            by: deadline,
            [
                AlertAnswerStatements.acknowledge(alert, of: patient, acknowledgement),
                AlertAnswerStatements.acknowledged(.id(patient), .id(alert)),
            ]
        )
        if let taken = try results[0].first(AlertAnswerStatements.readTaken) { return taken }
        let earlier = try results[1].first { row throws(RecordsError) in try row.readIfPresent(Date.self) }
        guard let earlier, let earlier else { return .unknown }
        return .already(since: earlier)
    }

    package func textedAlert(
        toNumber digest: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> TextedAlert? {
        let texted = try await run(
            .queues,
            on: .turns,
            isReadOnly: true,
            by: deadline,
            AlertAnswerStatements.texted(.text(digest))
        )
        for candidate in try texted[0].map(AlertAnswerStatements.readTexted) {
            let ids = (PostgresValue.id(candidate.patient), PostgresValue.id(candidate.alert))
            let open = try await read(candidate.tenant, by: deadline, AlertAnswerStatements.isOpen(ids.0, ids.1))
            if open[0].count > 0 { return candidate }
        }
        return nil
    }

    package func withdrawConsent(
        of contact: ContactID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) {
        let call = AlertAnswerStatements.withdraw(.id(patient), .id(contact))
        _ = try await write(tenant, by: deadline, [call])
    }

    package func audit(_ entry: AuditEntry, tenant: TenantID, by deadline: Deadline) async throws(RecordsError) {
        let call = AlertAnswerStatements.audit(
            .id(tenant),
            .text(entry.actor),
            .text(entry.action),
            .id(orNull: entry.patient),
            entry.details.isEmpty ? .null : StoredJSON.value(of: entry.details)
        )
        _ = try await write(tenant, by: deadline, [call])
    }
}

/// The statements of answers and receipts, and the readers of their rows.
enum AlertAnswerStatements {
    /// Records a receipt once; dispatch states only advance, and a failure makes its alert due at once.
    static let receipt = Statement(
        "receipt_take",
        [.uuid, .uuid, .uuid, .text, .text, .text, .text],
        """
        WITH known AS (
            SELECT patient_id, id, alert_id, tenant_id FROM dispatches WHERE patient_id = $1 AND id = $2
        ), taken AS (
            INSERT INTO receipts (patient_id, dispatch_id, state, provider_id, tenant_id, source)
            SELECT patient_id, id, $4, $5, tenant_id, $6 FROM known
            ON CONFLICT DO NOTHING
            RETURNING dispatch_id
        ), moved AS (
            UPDATE dispatches d SET
                state = $4,
                sent_at = CASE WHEN $4 <> 'failed' THEN coalesce(sent_at, now()) ELSE sent_at END,
                delivered_at = CASE WHEN $4 IN ('delivered', 'seen') THEN coalesce(delivered_at, now()) ELSE delivered_at END,
                seen_at = CASE WHEN $4 = 'seen' THEN coalesce(seen_at, now()) ELSE seen_at END,
                failed_at = CASE WHEN $4 = 'failed' THEN now() ELSE failed_at END,
                provider_id = coalesce(nullif($5, ''), provider_id),
                reason = coalesce(nullif($7, ''), reason),
                retry_at = NULL
            FROM taken
            WHERE d.patient_id = $1 AND d.id = $2
                AND array_position(ARRAY['sending', 'retrying', 'accepted', 'delivered', 'seen', 'failed'], d.state)
                    < array_position(ARRAY['sending', 'retrying', 'accepted', 'failed', 'delivered', 'seen'], $4)
                AND d.state <> 'failed'
            RETURNING d.id, d.alert_id
        ), noted AS (
            INSERT INTO alert_transitions (patient_id, tenant_id, alert_id, dispatch_id, state, actor, note, at)
            SELECT $1, $3, alert_id, id, $4, $6, $7, now() FROM moved
        ), nudged AS (
            UPDATE outbox o SET nudged = true, due_at = CASE WHEN o.leased THEN o.due_at ELSE now() END
            FROM moved
            WHERE $4 = 'failed' AND o.patient_id = $1 AND o.alert_id = moved.alert_id AND o.closed_at IS NULL
        )
        SELECT (SELECT count(*) FROM known), (SELECT count(*) FROM taken)
        """
    )

    /// Acknowledges or resolves an alert; an alert that is in another state does not change.
    static func acknowledge(
        _ alert: AlertID,
        of patient: PatientID,
        _ acknowledgement: Acknowledgement
    ) -> StatementCall {
        acknowledge(
            .id(patient),
            .id(alert),
            .id(orNull: acknowledgement.contact),
            .text(acknowledgement.way),
            .text(acknowledgement.note),
            .text((acknowledgement.resolves ? AlertState.resolved : .acknowledged).rawValue),
            .text(acknowledgement.actor),
            .text(orNull: acknowledgement.outcome?.rawValue),
            .id(orNull: acknowledgement.owner)
        )
    }

    /// Ends the notifications of the alert and of the fall that raised it.
    ///
    /// The contact must be one of the patient's.
    private static let acknowledge = Statement(
        "alert_acknowledge",
        [.uuid, .uuid, .uuid, .text, .text, .text, .text, .text, .uuid],
        """
        WITH taken AS (
            UPDATE alerts SET state = $6, outcome = coalesce($8, outcome), acknowledged_at = coalesce(acknowledged_at, now()),
                acknowledged_by = coalesce(acknowledged_by, $3), acknowledged_by_way = coalesce(acknowledged_by_way, $4),
                owner_id = coalesce(owner_id, $9), handed_by = NULL,
                handover_note = CASE WHEN $5 = '' THEN handover_note ELSE $5 END,
                resolved_at = CASE WHEN $6 = 'resolved' THEN now() END
            WHERE patient_id = $1 AND id = $2 AND ($3 IS NULL OR EXISTS (
                    SELECT FROM contacts WHERE patient_id = $1 AND id = $3
                ))
                AND (state IN ('recorded', 'held', 'waiting', 'notified', 'escalated', 'exhausted')
                    OR state = 'acknowledged' AND $6 = 'resolved')
            RETURNING patient_id, tenant_id, id, level, created_at
        ), noted AS (
            INSERT INTO alert_transitions (patient_id, tenant_id, alert_id, state, actor, note, at)
            SELECT patient_id, tenant_id, id, $6, $7, $4 || CASE WHEN $5 = '' THEN '' ELSE ', with a note' END, now()
            FROM taken
        ), closed AS (
            UPDATE outbox o SET closed_at = now() FROM taken
            WHERE o.patient_id = taken.patient_id AND o.alert_id = taken.id AND o.closed_at IS NULL
        ), fallen AS (
            UPDATE falls f SET state = 'resolved', acknowledged_at = now(), resolved_at = now(),
                resolved_by = 'acknowledgement'
            FROM taken
            WHERE f.patient_id = taken.patient_id AND f.alert_id = taken.id AND f.state <> 'resolved'
        )
        SELECT extract(epoch FROM now() - created_at)::float8, level FROM taken
        """
    )

    static let acknowledged = Statement(
        "alert_acknowledged",
        [.uuid, .uuid],
        "SELECT acknowledged_at FROM alerts WHERE patient_id = $1 AND id = $2"
    )

    static let texted = Statement(
        "alerts_texted",
        [.text],
        """
        SELECT tenant_id, patient_id, alert_id, id, contact_id FROM dispatches
        WHERE number_digest = $1 AND created_at > now() - interval '1 day' AND contact_id IS NOT NULL
        ORDER BY created_at DESC
        LIMIT 20
        """
    )

    static let isOpen = Statement(
        "alert_is_open",
        [.uuid, .uuid],
        """
        SELECT id FROM alerts
        WHERE patient_id = $1 AND id = $2 AND state IN ('recorded', 'held', 'waiting', 'notified', 'escalated', 'exhausted')
        """
    )

    static let withdraw = Statement(
        "contact_withdraw",
        [.uuid, .uuid],
        "UPDATE contacts SET consented_at = NULL WHERE patient_id = $1 AND id = $2"
    )

    static let audit = Statement(
        "audit_write",
        [.uuid, .text, .text, .uuid, .jsonb],
        "INSERT INTO audit (tenant_id, actor, action, patient_id, details) VALUES ($1, $2, $3, $4, $5)"
    )

    static func readTaken(_ row: inout PostgresRow) throws(RecordsError) -> AcknowledgementOutcome {
        .taken(after: .seconds(try row.read(Double.self)), level: try row.readWord())
    }

    static func readTexted(_ row: inout PostgresRow) throws(RecordsError) -> TextedAlert {
        TextedAlert(
            tenant: try row.readID(),
            patient: try row.readID(),
            alert: try row.readID(),
            dispatch: try row.readID(),
            contact: try row.readID()
        )
    }
}
