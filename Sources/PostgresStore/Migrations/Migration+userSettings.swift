extension Migration {
    /// Adds users' settings for the app.
    static let userSettings = Migration(
        version: 43,
        name: "user_settings",
        up: """
            CREATE TABLE hearth.user_settings (
                tenant_id uuid NOT NULL,
                user_id uuid NOT NULL,
                settings jsonb NOT NULL CHECK (jsonb_typeof(settings) = 'object'),
                version bigint NOT NULL CHECK (version > 0),
                updated_at timestamptz NOT NULL,
                PRIMARY KEY (tenant_id, user_id),
                FOREIGN KEY (tenant_id, user_id) REFERENCES hearth.users (tenant_id, id) ON DELETE CASCADE
            );
            ALTER TABLE hearth.user_settings ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.user_settings FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.user_settings USING (tenant_id = hearth.tenant());
            CREATE POLICY owner ON hearth.user_settings AS RESTRICTIVE TO hearth_app
                USING ((SELECT hearth.acting_user()) IS NULL OR user_id = (SELECT hearth.acting_user()));
            GRANT SELECT, INSERT, UPDATE (settings, version, updated_at) ON hearth.user_settings TO hearth_app;
            """,
        down: "DROP TABLE hearth.user_settings;"
    )
}
