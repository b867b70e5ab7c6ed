extension Migration {
    /// Adds the one-time links by which users sign in, by the digests of their tokens.
    static let links = Migration(
        version: 21,
        name: "links",
        up: """
            CREATE TABLE hearth.sign_in_links (
                digest text PRIMARY KEY CHECK (digest ~ '^[0-9a-f]{64}$'),
                tenant_id uuid NOT NULL,
                user_id uuid NOT NULL,
                created_at timestamptz NOT NULL,
                expires_at timestamptz NOT NULL,
                FOREIGN KEY (tenant_id, user_id) REFERENCES hearth.users (tenant_id, id) ON DELETE CASCADE
            );
            CREATE INDEX sign_in_links_of ON hearth.sign_in_links (tenant_id, user_id, expires_at);
            ALTER TABLE hearth.sign_in_links ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.sign_in_links FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.sign_in_links USING (tenant_id = hearth.tenant());
            GRANT SELECT, INSERT, DELETE ON hearth.sign_in_links TO hearth_app;
            """,
        down: "DROP TABLE hearth.sign_in_links;"
    )
}
