extension Migration {
    /// What a turn writes, in fewer bytes.
    ///
    /// A new vector is one signed byte a number and a scale; without a scale it is of 32-bit floats, as before. Pages of
    /// messages leave room for the replies, which come after them and are several times as long, so that a reply is
    /// written beside its message and no index is written again. On the way down the vectors are left to jobs.
    static let thrift = Migration(
        version: 12,
        name: "thrift",
        up: """
            ALTER TABLE hearth.memory_vectors ADD COLUMN scale real;
            ALTER TABLE hearth.memory_vectors DROP CONSTRAINT memory_vectors_vector_check;
            ALTER TABLE hearth.memory_vectors ADD CONSTRAINT memory_vectors_whole
                CHECK (scale IS NOT NULL OR octet_length(vector) % 4 = 0) NOT VALID;
            ALTER TABLE hearth.messages SET (fillfactor = 15);
            """,
        down: """
            ALTER TABLE hearth.messages RESET (fillfactor);
            ALTER TABLE hearth.memory_vectors NO FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.messages NO FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.jobs NO FORCE ROW LEVEL SECURITY;
            INSERT INTO hearth.jobs (patient_id, tenant_id, kind, message_id)
                SELECT m.patient_id, m.tenant_id, 'embed_exchange', m.id FROM hearth.memory_vectors v
                JOIN hearth.messages m ON m.patient_id = v.patient_id AND m.id = v.id
                WHERE v.scale IS NOT NULL ON CONFLICT DO NOTHING;
            DELETE FROM hearth.memory_vectors WHERE scale IS NOT NULL;
            ALTER TABLE hearth.memory_vectors FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.messages FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.jobs FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.memory_vectors DROP CONSTRAINT memory_vectors_whole;
            ALTER TABLE hearth.memory_vectors ADD CONSTRAINT memory_vectors_vector_check
                CHECK (octet_length(vector) % 4 = 0);
            ALTER TABLE hearth.memory_vectors DROP COLUMN scale;
            """
    )
}
