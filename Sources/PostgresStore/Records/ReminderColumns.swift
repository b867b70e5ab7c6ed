import Conversation
import Foundation

/// Reads active reminders with their events of the last two days.
enum ReminderColumns {
    static let inForce = Statement(
        "reminders_in_force",
        [.uuid, .timestamp],
        """
        SELECT r.id, r.title, r.kind, r.due_at, r.hour, r.minute, r.days, e.due_at AS event_due_at, e.status, e.at
        FROM reminders r
        LEFT JOIN reminder_events e ON e.patient_id = r.patient_id AND e.reminder_id = r.id
            AND e.due_at >= $2 - interval '2 days'
        WHERE r.patient_id = $1 AND r.ended_at IS NULL AND (r.due_at IS NULL OR r.due_at >= $2 - interval '2 days')
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
            let events = (earlier?.events ?? []) + (event.map { [$0] } ?? [])
            reminders.append(
                Reminder(
                    id: reminder.id,
                    title: reminder.title,
                    kind: reminder.kind,
                    schedule: reminder.schedule,
                    events: events
                )
            )
        }
        return reminders
    }

    private static func readRow(_ row: inout PostgresRow) throws(RecordsError) -> (Reminder, Reminder.Event?) {
        let reminder = Reminder(
            id: try row.readID(),
            title: try row.read(),
            kind: try row.readWord(),
            schedule: try readSchedule(&row)
        )
        guard let dueAt = try row.readIfPresent(Date.self) else { return (reminder, nil) }
        return (reminder, Reminder.Event(dueAt: dueAt, status: try row.readWord(), at: try row.read()))
    }

    private static func readSchedule(_ row: inout PostgresRow) throws(RecordsError) -> Reminder.Schedule {
        let dueAt = try row.readIfPresent(Date.self)
        let hour = try row.readIfPresent(Int.self)
        let minute = try row.readIfPresent(Int.self)
        let days = try row.readIfPresent(StoredArray<Int>.self)
        if let dueAt { return .once(dueAt) }
        guard let hour, let minute, let days else { throw row.unreadable("is no day of the week") }
        return .weekly(hour: hour, minute: minute, days: Set(days.elements))
    }
}
