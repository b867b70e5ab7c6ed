extension Migration {
    /// Adds the figures that replicas have counted, for the operators' page of all replicas.
    ///
    /// The rows belong to no tenant, hold counts alone, and are deleted by whoever writes. A process that has ended
    /// leaves its rows to be added to those of its successor.
    static let health = Migration(
        version: 33,
        name: "health",
        up: """
            CREATE TABLE hearth.health_figures (
                step integer NOT NULL CHECK (step IN (60, 600, 3600)),
                at timestamptz NOT NULL,
                replica text NOT NULL CHECK (char_length(replica) BETWEEN 1 AND 100),
                process uuid NOT NULL,
                figures jsonb NOT NULL,
                PRIMARY KEY (step, at, replica, process)
            );
            GRANT SELECT, INSERT, UPDATE (figures), DELETE ON hearth.health_figures TO hearth_app;
            """,
        down: "DROP TABLE hearth.health_figures;"
    )
}
