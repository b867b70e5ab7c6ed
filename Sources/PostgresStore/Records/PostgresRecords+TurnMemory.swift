package import Domain
import Foundation
package import Runtime

/// Reconstructs a patient's memory as it was before a turn.
extension PostgresRecords {
    /// Reads a patient's memory as it was before a turn, in one round trip.
    package func memory(before turn: TurnRecord, by deadline: Deadline) async throws(RecordsError) -> PatientMemory {
        let (patient, message) = (PostgresValue.id(turn.patient.id), PostgresValue.id(turn.message.id))
        let results = try await read(
            turn.patient.tenant,
            on: .background,
            by: deadline,
            PastMemoryStatements.start(patient, message),
            PastMemoryStatements.facts(patient, message),
            PastMemoryStatements.exchanges(patient, message),
            ReminderColumns.active(patient, .time(turn.receivedAt)),
            RememberStatements.contacts(patient)
        )
        let start = try results[0].first { row throws(RecordsError) in
            (
                goesOn: try row.read(Bool.self), bundle: try row.readIfPresent(String.self),
                alerts: try RememberStatements.readCategories(&row)
            )
        }
        guard let start else { throw .unknownPatient(turn.patient.id) }
        let contacts = try results[4].map(ContactColumns.read)
        return PatientMemory(
            patient: turn.patient,
            facts: try results[1].map(RememberStatements.readFact),
            exchanges: try results[2].map(RememberStatements.readExchange).reversed(),
            reminders: try ReminderColumns.read(results[3]).map { $0.known(at: turn.receivedAt) },
            contacts: contacts.map(\.contact),
            reachable: contacts,
            conversation: start.goesOn ? turn.message.conversation : nil,
            conversationBundle: start.bundle,
            openAlerts: start.alerts,
            state: turn.provenance?.state ?? ConversationState()
        )
    }
}

extension Reminder {
    /// Returns the reminder without its later events.
    fileprivate func known(at date: Date) -> Reminder {
        with(events.filter { $0.at <= date })
    }
}

/// The statements of past memory, each the counterpart of one in ``RememberStatements``.
private enum PastMemoryStatements {
    static let start = Statement(
        "turn_memory_start",
        [.uuid, .uuid],
        """
        SELECT
            EXISTS (
                SELECT FROM messages e
                WHERE e.patient_id = m.patient_id AND e.conversation_id = m.conversation_id
                    AND e.received_at < m.received_at
            ),
            (SELECT e.prompt_version FROM messages e
                WHERE e.patient_id = m.patient_id AND e.conversation_id = m.conversation_id
                    AND e.answered_at < m.received_at AND e.prompt_version IS NOT NULL
                ORDER BY e.spoken_at DESC, e.id DESC LIMIT 1),
            (
                SELECT coalesce(string_agg(DISTINCT a.category, ' '), '') FROM alerts a
                WHERE a.patient_id = m.patient_id AND a.created_at < m.received_at
                    AND (a.resolved_at IS NULL OR a.resolved_at > m.received_at)
            )
        FROM messages m WHERE m.patient_id = $1 AND m.id = $2
        """
    )

    static let facts = Statement(
        "turn_memory_facts",
        [.uuid, .uuid],
        """
        SELECT f.id, f.kind, f.subject, f.text, f.said_by, f.said_at
        FROM messages m JOIN facts f ON f.patient_id = m.patient_id
        WHERE m.patient_id = $1 AND m.id = $2 AND f.created_at < m.received_at
            AND (f.superseded_at IS NULL OR f.superseded_at >= m.spoken_at)
        ORDER BY f.said_at DESC
        LIMIT 200
        """
    )

    static let exchanges = Statement(
        "turn_memory_exchanges",
        [.uuid, .uuid],
        """
        SELECT e.said, CASE WHEN e.answered_at < m.received_at THEN e.answered END, e.spoken_at
        FROM messages m JOIN messages e ON e.patient_id = m.patient_id AND e.received_at < m.received_at
        WHERE m.patient_id = $1 AND m.id = $2
        ORDER BY e.spoken_at DESC, e.id DESC
        LIMIT 10
        """
    )
}
