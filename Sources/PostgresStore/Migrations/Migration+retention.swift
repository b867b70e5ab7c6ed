extension Migration {
    /// Adds for how many days tenants keep what, and lets the service delete what they keep no longer.
    ///
    /// The audit trail and the attempts are deleted only as far as the tenant's own days say so: the policies see to
    /// it. Facts and alerts outlive the message from which they come. The indexes by time cost one entry for many rows.
    static let retention = Migration(
        version: 26,
        name: "retention",
        up: """
            CREATE TABLE hearth.retention (
                tenant_id uuid NOT NULL REFERENCES hearth.tenants (id),
                kind text NOT NULL CHECK (kind IN ('messages', 'traces', 'audio', 'audit', 'attempts')),
                days integer NOT NULL CHECK (days BETWEEN 1 AND 36500),
                due_at timestamptz NOT NULL DEFAULT now(),
                done_until timestamptz,
                leased_until timestamptz,
                attempts bigint NOT NULL DEFAULT 0,
                PRIMARY KEY (tenant_id, kind),
                CHECK (kind <> 'audit' OR days >= 365),
                CHECK (kind NOT IN ('messages', 'attempts') OR days >= 30)
            );
            CREATE INDEX retention_due ON hearth.retention (due_at);
            ALTER TABLE hearth.retention ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.retention FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.retention TO hearth_app USING (tenant_id = hearth.tenant());
            CREATE POLICY watched ON hearth.retention TO hearth_worker USING (true);
            GRANT SELECT, INSERT, DELETE, UPDATE (days, due_at, done_until, leased_until) ON hearth.retention TO hearth_app;
            GRANT SELECT, UPDATE (leased_until, attempts) ON hearth.retention TO hearth_worker;

            CREATE FUNCTION hearth.kept_since(kind_ text) RETURNS timestamptz LANGUAGE sql STABLE
            RETURN (
                SELECT now() - make_interval(days => days) FROM hearth.retention
                WHERE tenant_id = hearth.tenant() AND kind = kind_
            );
            CREATE POLICY aged ON hearth.audit AS RESTRICTIVE FOR DELETE TO hearth_app
                USING (at < hearth.kept_since('audit'));
            GRANT DELETE ON hearth.audit TO hearth_app;
            CREATE POLICY aged ON hearth.dispatches AS RESTRICTIVE FOR DELETE TO hearth_app
                USING (created_at < hearth.kept_since('attempts'));
            GRANT DELETE ON hearth.dispatches TO hearth_app;

            CREATE INDEX messages_aged ON hearth.messages USING brin (received_at);
            CREATE INDEX dispatches_aged ON hearth.dispatches USING brin (created_at);

            ALTER TABLE hearth.facts DROP CONSTRAINT facts_patient_id_message_id_fkey;
            ALTER TABLE hearth.facts ADD CONSTRAINT facts_patient_id_message_id_fkey
                FOREIGN KEY (patient_id, message_id) REFERENCES hearth.messages (patient_id, id)
                ON DELETE SET NULL (message_id);
            ALTER TABLE hearth.alerts DROP CONSTRAINT alerts_patient_id_message_id_fkey;
            ALTER TABLE hearth.alerts ADD CONSTRAINT alerts_patient_id_message_id_fkey
                FOREIGN KEY (patient_id, message_id) REFERENCES hearth.messages (patient_id, id)
                ON DELETE SET NULL (message_id);
            """,
        down: """
            ALTER TABLE hearth.alerts DROP CONSTRAINT alerts_patient_id_message_id_fkey;
            ALTER TABLE hearth.alerts ADD CONSTRAINT alerts_patient_id_message_id_fkey
                FOREIGN KEY (patient_id, message_id) REFERENCES hearth.messages (patient_id, id) ON DELETE CASCADE;
            ALTER TABLE hearth.facts DROP CONSTRAINT facts_patient_id_message_id_fkey;
            ALTER TABLE hearth.facts ADD CONSTRAINT facts_patient_id_message_id_fkey
                FOREIGN KEY (patient_id, message_id) REFERENCES hearth.messages (patient_id, id) ON DELETE CASCADE;
            DROP INDEX hearth.dispatches_aged;
            DROP INDEX hearth.messages_aged;
            REVOKE DELETE ON hearth.dispatches FROM hearth_app;
            DROP POLICY aged ON hearth.dispatches;
            REVOKE DELETE ON hearth.audit FROM hearth_app;
            DROP POLICY aged ON hearth.audit;
            DROP FUNCTION hearth.kept_since(text);
            DROP TABLE hearth.retention;
            """
    )
}
