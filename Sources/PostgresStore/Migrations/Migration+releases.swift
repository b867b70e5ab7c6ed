extension Migration {
    /// Adds bundles by digest, the history of active releases, and the results of trials.
    ///
    /// These tables belong to no tenant and have no row-level security. They identify a patient by a digest that only a
    /// trial can compute. Bundles and releases allow only insertion and reading.
    static let releases = Migration(
        version: 8,
        name: "releases",
        up: """
            CREATE TABLE hearth.bundles (
                digest text PRIMARY KEY CHECK (digest ~ '^[0-9a-f]{64}$'),
                archive bytea NOT NULL,
                stored_at timestamptz NOT NULL DEFAULT now()
            );
            GRANT SELECT, INSERT ON hearth.bundles TO hearth_app;

            CREATE TABLE hearth.releases (
                environment text NOT NULL CHECK (environment ~ '^[a-z][a-z0-9-]{0,39}$'),
                number bigint NOT NULL CHECK (number > 0),
                at timestamptz NOT NULL DEFAULT now(),
                action text NOT NULL CHECK (action IN ('promote', 'canary', 'shadow', 'stop', 'rollback')),
                bundle text NOT NULL REFERENCES hearth.bundles (digest),
                previous text REFERENCES hearth.bundles (digest),
                trial text CHECK (trial IN ('canary', 'shadow')),
                trial_bundle text REFERENCES hearth.bundles (digest),
                trial_share double precision CHECK (trial_share > 0 AND trial_share <= 0.5),
                actor text NOT NULL CHECK (char_length(actor) BETWEEN 1 AND 200),
                reason text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 1000),
                run text,
                PRIMARY KEY (environment, number),
                CHECK (num_nonnulls(trial, trial_bundle, trial_share) IN (0, 3))
            );
            GRANT SELECT, INSERT ON hearth.releases TO hearth_app;

            CREATE TABLE hearth.trial_units (
                environment text NOT NULL,
                release bigint NOT NULL,
                arm text NOT NULL CHECK (arm IN ('control', 'candidate', 'shadow')),
                patient_digest bigint NOT NULL,
                turns bigint NOT NULL,
                signals bigint NOT NULL,
                opened_at timestamptz NOT NULL DEFAULT now(),
                closed_at timestamptz,
                PRIMARY KEY (environment, release, arm, patient_digest),
                FOREIGN KEY (environment, release) REFERENCES hearth.releases (environment, number)
            );
            GRANT SELECT, INSERT, UPDATE ON hearth.trial_units TO hearth_app;
            """,
        down: """
            DROP TABLE hearth.trial_units;
            DROP TABLE hearth.releases;
            DROP TABLE hearth.bundles;
            """
    )
}
