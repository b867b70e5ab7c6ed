extension Migration {
    /// Adds the codes by which users sign in over their telephone number: one for a user, by its keyed digest.
    ///
    /// A number is looked up before its tenant is known, as a mail address is: `app.email` shows the users who have it.
    static let codes = Migration(
        version: 28,
        name: "codes",
        up: """
            CREATE TABLE hearth.sign_in_codes (
                user_id uuid NOT NULL PRIMARY KEY,
                tenant_id uuid NOT NULL,
                digest text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
                attempts integer NOT NULL DEFAULT 0,
                expires_at timestamptz NOT NULL,
                FOREIGN KEY (tenant_id, user_id) REFERENCES hearth.users (tenant_id, id) ON DELETE CASCADE
            );
            ALTER TABLE hearth.sign_in_codes ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.sign_in_codes FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.sign_in_codes USING (tenant_id = hearth.tenant());
            GRANT SELECT, INSERT, DELETE, UPDATE (digest, attempts, expires_at) ON hearth.sign_in_codes TO hearth_app;
            CREATE POLICY called ON hearth.users FOR SELECT
                USING (phone = pg_catalog.current_setting('app.email', true));
            CREATE INDEX users_called ON hearth.users (phone) WHERE phone IS NOT NULL;
            """,
        down: """
            DROP INDEX hearth.users_called;
            DROP POLICY called ON hearth.users;
            DROP TABLE hearth.sign_in_codes;
            """
    )
}
