extension Migration {
    /// Adds events that other servers report as alerts, and the keys of requests that store nothing else.
    static let requests = Migration(
        version: 10,
        name: "requests",
        up: """
            ALTER TABLE hearth.alerts ADD COLUMN event_id uuid;

            CREATE TABLE hearth.requests (
                patient_id uuid NOT NULL,
                key text NOT NULL CHECK (char_length(key) BETWEEN 1 AND 400),
                tenant_id uuid NOT NULL,
                fingerprint text NOT NULL,
                at timestamptz NOT NULL DEFAULT now(),
                PRIMARY KEY (patient_id, key),
                FOREIGN KEY (tenant_id, patient_id) REFERENCES hearth.people (tenant_id, id) ON DELETE CASCADE
            );
            ALTER TABLE hearth.requests ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.requests FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.requests USING (tenant_id = hearth.tenant());
            GRANT SELECT, INSERT, DELETE ON hearth.requests TO hearth_app;
            """,
        down: """
            DROP TABLE hearth.requests;
            ALTER TABLE hearth.alerts DROP COLUMN event_id;
            """
    )
}
