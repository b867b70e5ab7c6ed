extension Migration {
    /// Adds the contacts who get the weekly digest, with the next due time of each.
    static let digests = """
        CREATE TABLE hearth.digest_subscriptions (
            patient_id uuid NOT NULL,
            contact_id uuid NOT NULL,
            tenant_id uuid NOT NULL,
            language text NOT NULL CHECK (language IN ('en', 'es')),
            due_at timestamptz NOT NULL,
            sent_until timestamptz,
            leased_until timestamptz,
            attempts bigint NOT NULL DEFAULT 0,
            PRIMARY KEY (patient_id, contact_id),
            FOREIGN KEY (patient_id, contact_id) REFERENCES hearth.contacts (patient_id, id) ON DELETE CASCADE,
            FOREIGN KEY (tenant_id, patient_id) REFERENCES hearth.people (tenant_id, id) ON DELETE CASCADE
        );
        CREATE INDEX digest_subscriptions_due ON hearth.digest_subscriptions (due_at);
        ALTER TABLE hearth.digest_subscriptions ENABLE ROW LEVEL SECURITY;
        ALTER TABLE hearth.digest_subscriptions FORCE ROW LEVEL SECURITY;
        CREATE POLICY own ON hearth.digest_subscriptions TO hearth_app USING (tenant_id = hearth.tenant());
        CREATE POLICY watched ON hearth.digest_subscriptions TO hearth_worker USING (true);
        CREATE POLICY reached ON hearth.digest_subscriptions AS RESTRICTIVE TO hearth_app
            USING ((SELECT hearth.patients()) IS NULL OR patient_id = ANY ((SELECT hearth.patients())::uuid[]));
        GRANT SELECT, INSERT, DELETE, UPDATE (language, due_at, sent_until, leased_until)
            ON hearth.digest_subscriptions TO hearth_app;
        GRANT SELECT, UPDATE ON hearth.digest_subscriptions TO hearth_worker;

        """
}
