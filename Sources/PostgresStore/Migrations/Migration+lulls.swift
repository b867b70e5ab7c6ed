extension Migration {
    /// Delays fact extraction until a conversation pauses; one job covers all of its unread messages.
    ///
    /// Existing jobs of single messages become one job of their conversation. Row-level security binds table owners
    /// too, so it is lifted while the rows of all tenants change.
    static let lulls = Migration(
        version: 11,
        name: "lulls",
        up: """
            ALTER TABLE hearth.conversations ADD COLUMN unread uuid[] NOT NULL DEFAULT '{}';
            ALTER TABLE hearth.jobs ALTER COLUMN message_id DROP NOT NULL;
            ALTER TABLE hearth.jobs ADD COLUMN conversation_id uuid;
            ALTER TABLE hearth.jobs ADD CONSTRAINT jobs_about_one CHECK (num_nonnulls(message_id, conversation_id) = 1);
            ALTER TABLE hearth.jobs ADD FOREIGN KEY (patient_id, conversation_id)
                REFERENCES hearth.conversations (patient_id, id) ON DELETE CASCADE;
            CREATE UNIQUE INDEX jobs_of_conversation ON hearth.jobs (patient_id, conversation_id, kind)
                WHERE conversation_id IS NOT NULL AND failed_at IS NULL;

            ALTER TABLE hearth.conversations NO FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.messages NO FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.jobs NO FORCE ROW LEVEL SECURITY;
            CREATE TEMPORARY TABLE unread ON COMMIT DROP AS
                SELECT m.patient_id, m.conversation_id, m.tenant_id, max(j.due_at) AS due_at,
                    array_agg(m.id ORDER BY m.spoken_at, m.id) AS messages
                FROM hearth.jobs j
                JOIN hearth.messages m ON m.patient_id = j.patient_id AND m.id = j.message_id
                WHERE j.kind = 'extract_facts' AND j.failed_at IS NULL
                GROUP BY m.patient_id, m.conversation_id, m.tenant_id;
            UPDATE hearth.conversations c SET unread = u.messages
                FROM unread u WHERE c.patient_id = u.patient_id AND c.id = u.conversation_id;
            INSERT INTO hearth.jobs (patient_id, tenant_id, kind, conversation_id, due_at)
                SELECT patient_id, tenant_id, 'read_facts', conversation_id, due_at FROM unread;
            DELETE FROM hearth.jobs WHERE kind = 'extract_facts' AND failed_at IS NULL;
            ALTER TABLE hearth.conversations FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.messages FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.jobs FORCE ROW LEVEL SECURITY;
            """,
        down: """
            ALTER TABLE hearth.conversations NO FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.messages NO FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.jobs NO FORCE ROW LEVEL SECURITY;
            INSERT INTO hearth.jobs (patient_id, tenant_id, kind, message_id, due_at)
                SELECT m.patient_id, m.tenant_id, 'extract_facts', m.id, j.due_at
                FROM hearth.jobs j
                JOIN hearth.conversations c ON c.patient_id = j.patient_id AND c.id = j.conversation_id
                JOIN hearth.messages m ON m.patient_id = c.patient_id AND m.id = ANY (c.unread)
                WHERE j.kind = 'read_facts' AND j.failed_at IS NULL
                ON CONFLICT DO NOTHING;
            DELETE FROM hearth.jobs WHERE message_id IS NULL;
            ALTER TABLE hearth.conversations FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.messages FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.jobs FORCE ROW LEVEL SECURITY;

            ALTER TABLE hearth.jobs DROP COLUMN conversation_id;
            ALTER TABLE hearth.jobs ALTER COLUMN message_id SET NOT NULL;
            ALTER TABLE hearth.conversations DROP COLUMN unread;
            """
    )
}
