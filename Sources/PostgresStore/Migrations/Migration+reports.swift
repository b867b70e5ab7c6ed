extension Migration {
    /// Adds when a patient's telephone last reported that it spoke a reminder.
    ///
    /// A missed dose is more serious if a telephone that reports what it speaks did not report it. The release before
    /// this one does not write the time.
    static let reports = Migration(
        version: 39,
        name: "reports",
        up: """
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
            """
    )
}
