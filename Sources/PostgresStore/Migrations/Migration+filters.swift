extension Migration {
    /// Adds the searches that operators keep by name.
    static let filters = Migration(
        version: 29,
        name: "filters",
        up: """
            CREATE TABLE hearth.saved_filters (
                tenant_id uuid NOT NULL REFERENCES hearth.tenants (id),
                operator_id uuid NOT NULL,
                name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 40),
                query text NOT NULL CHECK (char_length(query) <= 2000),
                PRIMARY KEY (tenant_id, operator_id, name)
            );
            ALTER TABLE hearth.saved_filters ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.saved_filters FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.saved_filters USING (tenant_id = hearth.tenant());
            GRANT SELECT, INSERT, UPDATE, DELETE ON hearth.saved_filters TO hearth_app;
            """,
        down: """
            DROP TABLE hearth.saved_filters;
            """
    )
}
