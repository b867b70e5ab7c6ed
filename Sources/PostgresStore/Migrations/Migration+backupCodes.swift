extension Migration {
    /// Notes which session may be shown the back-up codes again, until a code of the factor is used elsewhere.
    static let backupCodes = Migration(
        version: 35,
        name: "backup_codes",
        up: """
            ALTER TABLE hearth.users ADD COLUMN codes_session_id uuid;
            GRANT UPDATE (codes_session_id) ON hearth.users TO hearth_app;
            """,
        down: "ALTER TABLE hearth.users DROP COLUMN codes_session_id;"
    )
}
