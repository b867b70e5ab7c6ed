extension Migration {
    /// Lets users be operators of the console, under their own identity and with their own role.
    ///
    /// The token of a session shows the user who its operator is, and whether the tenant is closed. The stored role of
    /// such an operator is what the release before understands; what counts is the user's. The setting is compared
    /// first, because most statements have none.
    static let consoleUsers = Migration(
        version: 32,
        name: "console_users",
        up: """
            ALTER TABLE hearth.operators DROP CONSTRAINT operators_role_check;
            ALTER TABLE hearth.operators ADD CONSTRAINT operators_role_check
                CHECK (role IN ('viewer', 'reader', 'operator', 'admin'));
            ALTER TABLE hearth.operators
                ADD COLUMN user_id uuid,
                ADD FOREIGN KEY (tenant_id, user_id) REFERENCES hearth.users (tenant_id, id) ON DELETE CASCADE;
            CREATE UNIQUE INDEX operators_user ON hearth.operators (user_id) WHERE user_id IS NOT NULL;
            GRANT UPDATE (name, role) ON hearth.operators TO hearth_app;
            CREATE POLICY operating ON hearth.users FOR SELECT TO hearth_app USING (
                pg_catalog.current_setting('app.session_digest', true) <> ''
                AND id IN (SELECT user_id FROM hearth.operators WHERE user_id IS NOT NULL)
            );
            CREATE POLICY worked ON hearth.tenants FOR SELECT TO hearth_app USING (
                pg_catalog.current_setting('app.session_digest', true) <> ''
                AND id IN (SELECT tenant_id FROM hearth.operator_sessions)
            );
            """,
        down: """
            DROP POLICY worked ON hearth.tenants;
            DROP POLICY operating ON hearth.users;
            REVOKE UPDATE (name, role) ON hearth.operators FROM hearth_app;
            ALTER TABLE hearth.operators NO FORCE ROW LEVEL SECURITY;
            DELETE FROM hearth.operators WHERE user_id IS NOT NULL;
            UPDATE hearth.operators SET role = 'viewer' WHERE role = 'reader';
            ALTER TABLE hearth.operators FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.operators DROP COLUMN user_id;
            ALTER TABLE hearth.operators DROP CONSTRAINT operators_role_check;
            ALTER TABLE hearth.operators ADD CONSTRAINT operators_role_check CHECK (role IN ('viewer', 'operator', 'admin'));
            """
    )
}
