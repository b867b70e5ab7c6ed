extension Migration {
    /// Adds conversations, messages with their replies, and reminders with their events.
    static let conversations = Migration(
        version: 2,
        name: "conversations",
        up: """
            CREATE TABLE hearth.conversations (
                patient_id uuid NOT NULL,
                id uuid NOT NULL,
                tenant_id uuid NOT NULL,
                state jsonb,
                started_at timestamptz NOT NULL,
                last_message_at timestamptz NOT NULL,
                PRIMARY KEY (patient_id, id),
                FOREIGN KEY (tenant_id, patient_id) REFERENCES hearth.people (tenant_id, id) ON DELETE CASCADE
            );
            CREATE INDEX conversations_newest ON hearth.conversations (patient_id, last_message_at DESC, id DESC);
            ALTER TABLE hearth.conversations ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.conversations FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.conversations USING (tenant_id = hearth.tenant());
            GRANT SELECT, INSERT, UPDATE, DELETE ON hearth.conversations TO hearth_app;

            CREATE TABLE hearth.messages (
                patient_id uuid NOT NULL,
                id uuid NOT NULL,
                conversation_id uuid NOT NULL,
                tenant_id uuid NOT NULL,
                said text NOT NULL CHECK (octet_length(said) BETWEEN 1 AND 65536),
                spoken_at timestamptz NOT NULL,
                received_at timestamptz NOT NULL,
                context jsonb,
                idempotency_key text NOT NULL,
                fingerprint text NOT NULL,
                screening jsonb,
                level text NOT NULL CHECK (level IN ('none', 'low', 'medium', 'high', 'critical')),
                alerted boolean NOT NULL,
                answered text,
                answered_at timestamptz,
                source text,
                prompt_version text,
                reply jsonb,
                trace jsonb,
                PRIMARY KEY (patient_id, id),
                CONSTRAINT messages_key UNIQUE (patient_id, idempotency_key),
                FOREIGN KEY (patient_id, conversation_id) REFERENCES hearth.conversations (patient_id, id)
                    ON DELETE CASCADE,
                FOREIGN KEY (tenant_id, patient_id) REFERENCES hearth.people (tenant_id, id) ON DELETE CASCADE
            );
            CREATE INDEX messages_newest ON hearth.messages (patient_id, spoken_at DESC, id DESC);
            CREATE INDEX messages_of_conversation ON hearth.messages (patient_id, conversation_id, spoken_at DESC, id DESC);
            ALTER TABLE hearth.messages ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.messages FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.messages USING (tenant_id = hearth.tenant());
            GRANT SELECT, INSERT, UPDATE, DELETE ON hearth.messages TO hearth_app;

            CREATE TABLE hearth.reminders (
                patient_id uuid NOT NULL,
                id uuid NOT NULL,
                tenant_id uuid NOT NULL,
                title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 200),
                kind text NOT NULL CHECK (kind IN ('medicine', 'appointment', 'meal', 'activity', 'other')),
                due_at timestamptz,
                hour smallint CHECK (hour BETWEEN 0 AND 23),
                minute smallint CHECK (minute BETWEEN 0 AND 59),
                days smallint[] CHECK (days <@ '{1,2,3,4,5,6,7}' AND cardinality(days) > 0),
                created_at timestamptz NOT NULL DEFAULT now(),
                ended_at timestamptz,
                PRIMARY KEY (patient_id, id),
                FOREIGN KEY (tenant_id, patient_id) REFERENCES hearth.people (tenant_id, id) ON DELETE CASCADE,
                CONSTRAINT reminders_once_or_weekly CHECK (
                    num_nonnulls(hour, minute, days) = CASE WHEN due_at IS NULL THEN 3 ELSE 0 END
                )
            );
            ALTER TABLE hearth.reminders ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.reminders FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.reminders USING (tenant_id = hearth.tenant());
            GRANT SELECT, INSERT, UPDATE, DELETE ON hearth.reminders TO hearth_app;

            CREATE TABLE hearth.reminder_events (
                patient_id uuid NOT NULL,
                reminder_id uuid NOT NULL,
                due_at timestamptz NOT NULL,
                status text NOT NULL CHECK (status IN ('sent', 'done', 'missed')),
                tenant_id uuid NOT NULL,
                message_id uuid,
                at timestamptz NOT NULL DEFAULT now(),
                PRIMARY KEY (patient_id, reminder_id, due_at, status),
                FOREIGN KEY (patient_id, reminder_id) REFERENCES hearth.reminders (patient_id, id) ON DELETE CASCADE,
                FOREIGN KEY (tenant_id, patient_id) REFERENCES hearth.people (tenant_id, id) ON DELETE CASCADE
            );
            ALTER TABLE hearth.reminder_events ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.reminder_events FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.reminder_events USING (tenant_id = hearth.tenant());
            GRANT SELECT, INSERT, UPDATE, DELETE ON hearth.reminder_events TO hearth_app;
            """,
        down: """
            DROP TABLE hearth.reminder_events;
            DROP TABLE hearth.reminders;
            DROP TABLE hearth.messages;
            DROP TABLE hearth.conversations;
            """
    )
}
