extension Migration {
    /// Adds the people of identity providers who are users.
    static let providers = Migration(
        version: 20,
        name: "providers",
        up: """
            CREATE TABLE hearth.external_identities (
                tenant_id uuid NOT NULL,
                issuer text NOT NULL CHECK (char_length(issuer) BETWEEN 1 AND 500),
                subject text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 255),
                user_id uuid NOT NULL,
                created_at timestamptz NOT NULL,
                PRIMARY KEY (tenant_id, issuer, subject),
                UNIQUE (tenant_id, issuer, user_id),
                FOREIGN KEY (tenant_id, user_id) REFERENCES hearth.users (tenant_id, id) ON DELETE CASCADE
            );
            CREATE INDEX external_identities_user ON hearth.external_identities (tenant_id, user_id);
            ALTER TABLE hearth.external_identities ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.external_identities FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.external_identities USING (tenant_id = hearth.tenant());
            GRANT SELECT, INSERT, DELETE ON hearth.external_identities TO hearth_app;
            """,
        down: "DROP TABLE hearth.external_identities;"
    )
}
