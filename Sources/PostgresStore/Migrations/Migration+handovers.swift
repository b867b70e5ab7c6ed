extension Migration {
    /// Adds the handovers that wait to be accepted, and what users are told of them by mail.
    ///
    /// A patient has one handover at most. It is due when it goes back to the giver; a row without a due time went
    /// back. The release before writes none, so that its handovers wait until they are accepted.
    static let handovers = Migration(
        version: 40,
        name: "handovers",
        up: """
            CREATE TABLE hearth.handovers (
                patient_id uuid PRIMARY KEY,
                tenant_id uuid NOT NULL,
                giver_id uuid NOT NULL,
                taker_id uuid NOT NULL,
                due_at timestamptz,
                FOREIGN KEY (tenant_id, patient_id) REFERENCES hearth.people (tenant_id, id) ON DELETE CASCADE
            );
            CREATE INDEX handovers_due ON hearth.handovers (due_at) WHERE due_at IS NOT NULL;
            ALTER TABLE hearth.handovers ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.handovers FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.handovers TO hearth_app USING (tenant_id = hearth.tenant());
            CREATE POLICY reached ON hearth.handovers AS RESTRICTIVE TO hearth_app
                USING ((SELECT hearth.patients()) IS NULL OR patient_id = ANY ((SELECT hearth.patients())::uuid[]));
            CREATE POLICY drained ON hearth.handovers FOR SELECT TO hearth_worker USING (true);
            GRANT SELECT, INSERT, UPDATE, DELETE ON hearth.handovers TO hearth_app;
            GRANT SELECT ON hearth.handovers TO hearth_worker;

            ALTER TABLE hearth.account_notices DROP CONSTRAINT account_notices_kind_check;
            ALTER TABLE hearth.account_notices ADD CONSTRAINT account_notices_kind_check CHECK (kind IN (
                'password_changed', 'factor_set', 'factor_removed', 'key_added',
                'handed_over', 'handover_returned', 'handover_lapsed'
            ));
            """,
        down: """
            ALTER TABLE hearth.account_notices NO FORCE ROW LEVEL SECURITY;
            DELETE FROM hearth.account_notices
                WHERE kind IN ('handed_over', 'handover_returned', 'handover_lapsed');
            ALTER TABLE hearth.account_notices FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.account_notices DROP CONSTRAINT account_notices_kind_check;
            ALTER TABLE hearth.account_notices ADD CONSTRAINT account_notices_kind_check
                CHECK (kind IN ('password_changed', 'factor_set', 'factor_removed', 'key_added'));
            DROP TABLE hearth.handovers;
            """
    )
}
