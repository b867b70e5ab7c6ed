extension Migration {
    /// Adds owners of alerts, the queue of turns to be reviewed, and the indexes of the operators' lists.
    ///
    /// An alert that was handed over names who did it until the new owner accepts. A review holds an operator's
    /// correction of a turn, and goes with the turn. Operators are named without a key, which would not contain the
    /// patient.
    static let incidents = Migration(
        version: 16,
        name: "incidents",
        up: """
            ALTER TABLE hearth.alerts
                ADD COLUMN owner_id uuid,
                ADD COLUMN handed_by uuid;
            CREATE INDEX alerts_on_board ON hearth.alerts (tenant_id, created_at)
                WHERE state IN (
                    'recorded', 'held', 'waiting', 'notified', 'escalated', 'exhausted', 'acknowledged'
                );
            CREATE INDEX alerts_closed ON hearth.alerts (tenant_id, resolved_at DESC, id DESC)
                WHERE resolved_at IS NOT NULL;
            CREATE INDEX messages_of_tenant ON hearth.messages (tenant_id, spoken_at DESC, id DESC);

            CREATE TABLE hearth.turn_reviews (
                patient_id uuid NOT NULL,
                message_id uuid NOT NULL,
                tenant_id uuid NOT NULL,
                operator_id uuid NOT NULL,
                kind text NOT NULL CHECK (kind IN ('missed', 'overheard', 'level', 'reply', 'other')),
                expected text CHECK (expected IN ('none', 'low', 'medium', 'high', 'critical')),
                note text NOT NULL DEFAULT '' CHECK (char_length(note) <= 2000),
                created_at timestamptz NOT NULL DEFAULT now(),
                done_at timestamptz,
                PRIMARY KEY (patient_id, message_id),
                FOREIGN KEY (patient_id, message_id) REFERENCES hearth.messages (patient_id, id) ON DELETE CASCADE,
                FOREIGN KEY (tenant_id, patient_id) REFERENCES hearth.people (tenant_id, id) ON DELETE CASCADE
            );
            CREATE INDEX turn_reviews_newest ON hearth.turn_reviews (tenant_id, created_at DESC, message_id DESC);
            ALTER TABLE hearth.turn_reviews ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.turn_reviews FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.turn_reviews USING (tenant_id = hearth.tenant());
            GRANT SELECT, INSERT, UPDATE, DELETE ON hearth.turn_reviews TO hearth_app;
            """,
        down: """
            DROP TABLE hearth.turn_reviews;
            DROP INDEX hearth.messages_of_tenant;
            DROP INDEX hearth.alerts_closed;
            DROP INDEX hearth.alerts_on_board;
            ALTER TABLE hearth.alerts DROP COLUMN handed_by, DROP COLUMN owner_id;
            """
    )
}
