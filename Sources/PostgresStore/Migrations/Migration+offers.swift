extension Migration {
    /// Notes whose offer of a second factor is open, and until when.
    static let offers = Migration(
        version: 23,
        name: "offers",
        up: """
            ALTER TABLE hearth.users
                ADD COLUMN pending_session_id uuid,
                ADD COLUMN pending_until timestamptz;
            GRANT UPDATE (pending_session_id, pending_until) ON hearth.users TO hearth_app;
            """,
        down: "ALTER TABLE hearth.users DROP COLUMN pending_until, DROP COLUMN pending_session_id;"
    )
}
