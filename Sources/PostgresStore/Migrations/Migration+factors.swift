extension Migration {
    /// Adds users' second factors and back-up codes.
    ///
    /// A factor's secret is derived from its identity and is not here. A back-up code is stored as a keyed digest.
    static let factors = Migration(
        version: 19,
        name: "factors",
        up: """
            ALTER TABLE hearth.users
                ADD COLUMN factor_id uuid,
                ADD COLUMN pending_factor_id uuid,
                ADD COLUMN factor_step bigint NOT NULL DEFAULT 0;
            GRANT UPDATE (factor_id, pending_factor_id, factor_step) ON hearth.users TO hearth_app;

            CREATE TABLE hearth.backup_codes (
                tenant_id uuid NOT NULL,
                user_id uuid NOT NULL,
                digest text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
                used_at timestamptz,
                PRIMARY KEY (user_id, digest),
                FOREIGN KEY (tenant_id, user_id) REFERENCES hearth.users (tenant_id, id) ON DELETE CASCADE
            );
            ALTER TABLE hearth.backup_codes ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.backup_codes FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.backup_codes USING (tenant_id = hearth.tenant());
            GRANT SELECT, INSERT, DELETE, UPDATE (used_at) ON hearth.backup_codes TO hearth_app;
            """,
        down: """
            DROP TABLE hearth.backup_codes;
            ALTER TABLE hearth.users
                DROP COLUMN factor_step, DROP COLUMN pending_factor_id, DROP COLUMN factor_id;
            """
    )
}
