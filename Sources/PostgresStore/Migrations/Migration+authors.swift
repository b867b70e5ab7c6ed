extension Migration {
    /// Adds who made a reminder, and when a patient's telephone last reported that it spoke one.
    ///
    /// The release before this one writes neither: a reminder that it makes has no author.
    static let authors = Migration(
        version: 37,
        name: "authors",
        up: """
            ALTER TABLE hearth.reminders
                ADD COLUMN created_by text CHECK (created_by ~ '^(key|user|operator|patient)( [0-9a-f-]{36})?$');

            ALTER TABLE hearth.reminder_clocks ADD COLUMN heard_at timestamptz;
            ALTER TABLE hearth.reminder_clocks NO FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.reminder_occurrences NO FORCE ROW LEVEL SECURITY;
            UPDATE hearth.reminder_clocks c SET heard_at = o.heard_at
            FROM (
                SELECT patient_id, max(heard_at) AS heard_at FROM hearth.reminder_occurrences
                WHERE heard_at IS NOT NULL GROUP BY patient_id
            ) o
            WHERE o.patient_id = c.patient_id;
            ALTER TABLE hearth.reminder_occurrences FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.reminder_clocks FORCE ROW LEVEL SECURITY;
            """,
        down: """
            ALTER TABLE hearth.reminder_clocks DROP COLUMN heard_at;
            ALTER TABLE hearth.reminders DROP COLUMN created_by;
            """
    )
}
