import Conversation
import Foundation
import Reminders

/// Reads active reminders with their events of the last two days.
enum ReminderColumns {
    static let inForce = Statement(
        "reminders_in_force",
        [.uuid, .timestamp],
        """
        SELECT r.id, r.title, coalesce(r.precise_kind, r.kind), r.recurrence, r.due_at, r.hour, r.minute, r.days, r.dose,
            r.lead_minutes, r.paused_at, r.resumed_at, e.due_at AS event_due_at, e.status, e.at
        FROM reminders r
        LEFT JOIN reminder_events e ON e.patient_id = r.patient_id AND e.reminder_id = r.id
            AND e.due_at >= $2 - interval '2 days'
        WHERE r.patient_id = $1 AND r.ended_at IS NULL AND CASE
            WHEN r.recurrence IS NULL THEN r.due_at IS NULL OR r.due_at >= $2 - interval '2 days'
            ELSE r.last_due_at IS NULL OR r.last_due_at >= $2 - interval '2 days' END
        ORDER BY r.created_at, r.id, e.due_at, e.at, e.status
        LIMIT 1000
        """
    )

    /// Builds one reminder from the adjacent rows of its events.
    static func read(_ result: PostgresResult) throws(RecordsError) -> [Reminder] {
        var reminders: [Reminder] = []
        for (reminder, event) in try result.map(readRow) {
            let earlier = reminders.last.flatMap { $0.id == reminder.id ? $0 : nil }
            if earlier != nil { reminders.removeLast() }
            reminders.append(reminder.with((earlier?.events ?? []) + (event.map { [$0] } ?? [])))
        }
        return reminders
    }

    private static func readRow(_ row: inout PostgresRow) throws(RecordsError) -> (Reminder, Reminder.Event?) {
        let reminder = Reminder(
            id: try row.readID(),
            title: try row.read(),
            kind: try row.readWord(),
            schedule: try readSchedule(&row),
            dose: try row.readIfPresent(),
            leadMinutes: try row.readIfPresent(Int.self) ?? 0,
            pause: try readPause(&row)
        )
        guard let dueAt = try row.readIfPresent(Date.self) else { return (reminder, nil) }
        return (reminder, Reminder.Event(dueAt: dueAt, status: try row.readWord(), at: try row.read()))
    }

    private static func readSchedule(_ row: inout PostgresRow) throws(RecordsError) -> Reminder.Schedule {
        let recurrence = try readRecurrence(&row)
        let dueAt = try row.readIfPresent(Date.self)
        let hour = try row.readIfPresent(Int.self)
        let minute = try row.readIfPresent(Int.self)
        let days = try row.readIfPresent(StoredArray<Int>.self)
        if let recurrence { return .recurring(recurrence) }
        if let dueAt { return .once(dueAt) }
        guard let hour, let minute, let days else { throw row.unreadable("is no day of the week") }
        return .weekly(hour: hour, minute: minute, days: Set(days.elements))
    }

    private static func readRecurrence(_ row: inout PostgresRow) throws(RecordsError) -> Recurrence? {
        guard let text = try row.readIfPresent(String.self) else { return nil }
        do throws(RecurrenceFault) {
            return try RecurrenceReader.read(text)
        } catch {
            throw row.unreadable("is no recurrence: \(error)")
        }
    }

    private static func readPause(_ row: inout PostgresRow) throws(RecordsError) -> Reminder.Pause? {
        let from = try row.readIfPresent(Date.self)
        let until = try row.readIfPresent(Date.self)
        return from.map { Reminder.Pause(from: $0, until: until) }
    }
}
