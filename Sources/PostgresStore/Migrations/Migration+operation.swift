extension Migration {
    /// Adds service keys and an audit trail that allows only insertion and reading.
    ///
    /// A service key is looked up before its tenant is known. Two policies show exactly the row with the digest in
    /// `app.key_digest` and allow noting its last use. Only a holder of the key sees its row.
    static let operation = Migration(
        version: 5,
        name: "operation",
        up: """
            CREATE TABLE hearth.service_keys (
                id uuid PRIMARY KEY,
                tenant_id uuid NOT NULL REFERENCES hearth.tenants (id),
                name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
                digest text NOT NULL UNIQUE CHECK (digest ~ '^[0-9a-f]{64}$'),
                scopes text[] NOT NULL,
                created_at timestamptz NOT NULL DEFAULT now(),
                revoked_at timestamptz,
                last_used_at timestamptz
            );
            ALTER TABLE hearth.service_keys ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.service_keys FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.service_keys USING (tenant_id = hearth.tenant());
            CREATE POLICY shown ON hearth.service_keys FOR SELECT
                USING (digest = pg_catalog.current_setting('app.key_digest', true));
            CREATE POLICY used ON hearth.service_keys FOR UPDATE
                USING (digest = pg_catalog.current_setting('app.key_digest', true));
            GRANT SELECT, INSERT, UPDATE (revoked_at, last_used_at) ON hearth.service_keys TO hearth_app;

            CREATE TABLE hearth.audit (
                tenant_id uuid NOT NULL REFERENCES hearth.tenants (id),
                id bigserial NOT NULL,
                at timestamptz NOT NULL DEFAULT now(),
                actor text NOT NULL,
                action text NOT NULL,
                patient_id uuid,
                details jsonb,
                PRIMARY KEY (tenant_id, id)
            );
            CREATE INDEX audit_newest ON hearth.audit (tenant_id, at DESC);
            ALTER TABLE hearth.audit ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.audit FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.audit USING (tenant_id = hearth.tenant());
            GRANT SELECT, INSERT ON hearth.audit TO hearth_app;
            GRANT USAGE ON SEQUENCE hearth.audit_id_seq TO hearth_app;
            """,
        down: """
            DROP TABLE hearth.audit;
            DROP TABLE hearth.service_keys;
            """
    )
}
