extension Migration {
    /// Adds scopes by subject, ends of keys, callers' names for patients, outcomes of alerts, and marks of erased
    /// patients.
    ///
    /// A key with old scopes keeps its rights. It has the old names beside the new ones, because the previous release
    /// reads the old ones. The mark of an erased patient holds identities alone; the worker role shows all of them to
    /// each replica.
    package static let administration = Migration(
        version: 15,
        name: "administration",
        up: """
            ALTER TABLE hearth.service_keys
                ADD COLUMN expires_at timestamptz,
                ADD COLUMN successor_id uuid;
            GRANT UPDATE (expires_at, successor_id) ON hearth.service_keys TO hearth_app;
            ALTER TABLE hearth.service_keys NO FORCE ROW LEVEL SECURITY;
            UPDATE hearth.service_keys SET scopes = scopes
                || CASE WHEN 'turns' = ANY (scopes) THEN ARRAY['patients:write'] ELSE '{}' END
                || CASE WHEN 'read' = ANY (scopes) THEN ARRAY['patients:read', 'conversations:read'] ELSE '{}' END;
            ALTER TABLE hearth.service_keys FORCE ROW LEVEL SECURITY;

            ALTER TABLE hearth.people
                ADD COLUMN external_id text CHECK (char_length(external_id) BETWEEN 1 AND 200),
                ADD COLUMN closed_at timestamptz;
            CREATE UNIQUE INDEX people_external ON hearth.people (tenant_id, external_id)
                WHERE external_id IS NOT NULL;
            CREATE INDEX people_newest ON hearth.people (tenant_id, created_at DESC, id DESC) WHERE role = 'patient';

            ALTER TABLE hearth.alerts
                ADD COLUMN outcome text CHECK (outcome IN ('true_alarm', 'false_alarm', 'test'));

            CREATE TABLE hearth.erasures (
                patient_id uuid PRIMARY KEY,
                tenant_id uuid NOT NULL,
                at timestamptz NOT NULL DEFAULT now()
            );
            CREATE INDEX erasures_newest ON hearth.erasures (at);
            ALTER TABLE hearth.erasures ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hearth.erasures FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON hearth.erasures TO hearth_app USING (tenant_id = hearth.tenant());
            CREATE POLICY followed ON hearth.erasures FOR SELECT TO hearth_worker USING (true);
            GRANT SELECT, INSERT ON hearth.erasures TO hearth_app;
            GRANT SELECT ON hearth.erasures TO hearth_worker;
            """,
        down: """
            DROP TABLE hearth.erasures;
            ALTER TABLE hearth.alerts DROP COLUMN outcome;
            DROP INDEX hearth.people_newest;
            DROP INDEX hearth.people_external;
            ALTER TABLE hearth.people DROP COLUMN closed_at, DROP COLUMN external_id;
            ALTER TABLE hearth.service_keys NO FORCE ROW LEVEL SECURITY;
            UPDATE hearth.service_keys SET
                revoked_at = coalesce(revoked_at, CASE WHEN expires_at <= now() THEN expires_at END),
                scopes = ARRAY(
                    SELECT DISTINCT word FROM unnest(
                        scopes || CASE WHEN scopes @> '{patients:read, conversations:read}' THEN ARRAY['read'] ELSE '{}' END
                    ) word WHERE word IN ('turns', 'read')
                );
            ALTER TABLE hearth.service_keys FORCE ROW LEVEL SECURITY;
            ALTER TABLE hearth.service_keys DROP COLUMN successor_id, DROP COLUMN expires_at;
            """
    )
}
