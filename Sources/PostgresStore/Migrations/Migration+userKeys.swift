extension Migration {
    /// Adds the public keys of users' telephones, with the number of the last challenge that each has answered.
    static let userKeys = Migration(
        version: 27,
        name: "user_keys",
        up: """
            CREATE TABLE hearth.user_keys (
                tenant_id uuid NOT NULL,
                id uuid NOT NULL,
                user_id uuid NOT NULL,
                name text NOT NULL,
                point bytea NOT NULL CHECK (octet_length(point) = 64),
                created_at timestamptz NOT NULL,
                used_at timestamptz,
                last_challenge bigint NOT NULL DEFAULT 0,
                PRIMARY KEY (tenant_id, id),
                FOREIGN KEY (tenant_id, user_id) REFERENCES hearth.users (tenant_id, id) ON DELETE CASCADE
            );
            CREATE INDEX user_keys_of ON hearth.user_keys (tenant_id, user_id, created_at DESC);
            ALTER TABLE hearth.user_keys ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.user_keys FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.user_keys USING (tenant_id = hearth.tenant());
            GRANT SELECT, INSERT, DELETE, UPDATE (used_at, last_challenge) ON hearth.user_keys TO hearth_app;
            """,
        down: "DROP TABLE hearth.user_keys;"
    )
}
