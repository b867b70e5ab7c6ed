import Domain
import Runtime

/// The statements by which operators act on all alerts of a patient.
enum IncidentActionStatements {
    /// Restores the state before an operator's answer that is at most a minute old, and reopens the outbox.
    ///
    /// The limit adds a few seconds for the request itself.
    static let undo = Statement(
        "incident_undo",
        [.uuid, .uuidArray, .text],
        """
        WITH last AS (
            SELECT DISTINCT ON (alert_id) alert_id, id, state, actor, at FROM alert_transitions
            WHERE patient_id = $1 AND alert_id = ANY ($2) AND dispatch_id IS NULL AND state <> 'noted'
            ORDER BY alert_id, id DESC
        ), before AS (
            SELECT DISTINCT ON (t.alert_id) t.alert_id, t.state FROM alert_transitions t
            JOIN last l ON l.alert_id = t.alert_id AND t.id < l.id
            WHERE t.patient_id = $1 AND t.dispatch_id IS NULL AND t.state IN \(IncidentStatements.open)
            ORDER BY t.alert_id, t.id DESC
        ), undone AS (
            UPDATE alerts a SET state = coalesce(b.state, 'recorded'), outcome = NULL, resolved_at = NULL,
                acknowledged_at = CASE WHEN b.state = 'acknowledged' THEN a.acknowledged_at END,
                acknowledged_by = CASE WHEN b.state = 'acknowledged' THEN a.acknowledged_by END,
                acknowledged_by_way = CASE WHEN b.state = 'acknowledged' THEN a.acknowledged_by_way END,
                owner_id = CASE WHEN b.state = 'acknowledged' THEN a.owner_id END
            FROM last l LEFT JOIN before b ON b.alert_id = l.alert_id
            WHERE a.patient_id = $1 AND a.id = l.alert_id AND a.state = l.state
                AND l.state IN ('acknowledged', 'resolved') AND l.actor = $3 AND l.at > now() - interval '65 seconds'
            RETURNING a.patient_id, a.tenant_id, a.id, a.state
        ), reopened AS (
            UPDATE outbox o SET closed_at = NULL, leased = false, nudged = true, due_at = now() FROM undone u
            WHERE o.patient_id = u.patient_id AND o.alert_id = u.id AND u.state <> 'acknowledged'
        ), fallen AS (
            UPDATE falls f SET state = 'alerted', alerted_at = coalesce(f.alerted_at, now()), acknowledged_at = NULL,
                resolved_at = NULL, resolved_by = NULL
            FROM undone u
            WHERE f.patient_id = u.patient_id AND f.alert_id = u.id AND f.resolved_by = 'acknowledgement'
                AND u.state <> 'acknowledged'
        )
        INSERT INTO alert_transitions (patient_id, tenant_id, alert_id, state, actor, note, at)
        SELECT patient_id, tenant_id, id, state, $3, 'undone', now() FROM undone
        RETURNING id
        """
    )

    static let handOver = Statement(
        "incident_hand_over",
        [.uuid, .uuid, .uuid, .uuid, .text, .text],
        """
        WITH colleague AS (
            SELECT id, name, user_id FROM operators
            WHERE tenant_id = $1 AND id = $3 AND revoked_at IS NULL AND role IN ('operator', 'admin')
                AND \(OperatorStatements.answers("operators"))
        ), handed AS (
            UPDATE alerts SET owner_id = c.id, handed_by = $4,
                handover_note = CASE WHEN $6 = '' THEN handover_note ELSE $6 END
            FROM colleague c
            WHERE alerts.tenant_id = $1 AND alerts.patient_id = $2 AND alerts.state = 'acknowledged'
            RETURNING alerts.patient_id, alerts.tenant_id, alerts.id
        ), queued AS (
            INSERT INTO handovers AS q (patient_id, tenant_id, giver_id, taker_id, due_at)
            SELECT DISTINCT h.patient_id, h.tenant_id, $4, c.id,
                now() + interval '\(Int(IncidentHandover.patience.seconds)) seconds'
            FROM handed h, colleague c
            ON CONFLICT (patient_id) DO UPDATE SET
                giver_id = excluded.giver_id, taker_id = excluded.taker_id, due_at = excluded.due_at
        ), told AS (
            INSERT INTO account_notices (tenant_id, user_id, kind)
            SELECT $1, c.user_id, 'handed_over' FROM colleague c
            WHERE c.user_id IS NOT NULL AND EXISTS (SELECT FROM handed)
        )
        INSERT INTO alert_transitions (patient_id, tenant_id, alert_id, state, actor, note, at)
        SELECT h.patient_id, h.tenant_id, h.id, 'handed_over', $5,
            'to ' || c.name || CASE WHEN $6 = '' THEN '' ELSE ': ' || $6 END, now()
        FROM handed h, colleague c
        RETURNING id
        """
    )

    static let accept = Statement(
        "incident_accept",
        [.uuid, .uuid, .uuid, .text],
        """
        WITH accepted AS (
            UPDATE alerts SET handed_by = NULL
            WHERE tenant_id = $1 AND patient_id = $2 AND state = 'acknowledged' AND owner_id = $3
                AND handed_by IS NOT NULL
            RETURNING patient_id, tenant_id, id
        ), ended AS (
            DELETE FROM handovers WHERE patient_id = $2 AND EXISTS (SELECT FROM accepted)
        )
        INSERT INTO alert_transitions (patient_id, tenant_id, alert_id, state, actor, at)
        SELECT patient_id, tenant_id, id, 'handover_accepted', $4, now() FROM accepted
        RETURNING id
        """
    )

    static let note = Statement(
        "incident_note",
        [.uuid, .uuid, .text, .text],
        """
        WITH noted AS (
            UPDATE alerts SET handover_note = $3
            WHERE tenant_id = $1 AND patient_id = $2 AND state IN \(IncidentStatements.open)
            RETURNING patient_id, tenant_id, id
        )
        INSERT INTO alert_transitions (patient_id, tenant_id, alert_id, state, actor, note, at)
        SELECT patient_id, tenant_id, id, 'noted', $4, $3, now() FROM noted
        RETURNING id
        """
    )
}
