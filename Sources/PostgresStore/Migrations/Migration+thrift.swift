extension Migration {
    /// Reduces the bytes that a turn writes.
    ///
    /// A new vector is one signed byte a number and a scale; a vector without a scale holds 32-bit floats. Message
    /// pages leave room for their replies, which arrive later and are several times as long. A reply is then written on
    /// its message's page and changes no index. The down step leaves vectors to jobs.
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
