extension Migration {
    /// Deletes sounds that nobody is to hear any more under a lock, so that neither of two erasures leaves the words.
    ///
    /// The lock comes before the look at who is left, in the order of the addresses.
    static let listeners = Migration(
        version: 24,
        name: "listeners",
        up: """
            CREATE FUNCTION hearth.drop_speech_of_none() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                PERFORM FROM hearth.speech_clips c
                WHERE (c.tenant_id, c.digest) IN (SELECT tenant_id, digest FROM gone)
                ORDER BY c.tenant_id, c.digest FOR UPDATE;
                DELETE FROM hearth.speech_clips c
                WHERE (c.tenant_id, c.digest) IN (SELECT tenant_id, digest FROM gone) AND NOT EXISTS (
                    SELECT FROM hearth.speech_listeners l WHERE l.tenant_id = c.tenant_id AND l.digest = c.digest
                );
                RETURN NULL;
            END
            $$;
            GRANT UPDATE (used_at) ON hearth.speech_clips TO hearth_worker;
            DROP TRIGGER drop_unheard_speech ON hearth.speech_listeners;
            CREATE TRIGGER drop_speech_of_none AFTER DELETE ON hearth.speech_listeners
                REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION hearth.drop_speech_of_none();
            """,
        down: """
            DROP TRIGGER drop_speech_of_none ON hearth.speech_listeners;
            DROP FUNCTION hearth.drop_speech_of_none();
            REVOKE UPDATE (used_at) ON hearth.speech_clips FROM hearth_worker;
            CREATE TRIGGER drop_unheard_speech AFTER DELETE ON hearth.speech_listeners
                FOR EACH ROW EXECUTE FUNCTION hearth.drop_unheard_speech();
            """
    )
}
