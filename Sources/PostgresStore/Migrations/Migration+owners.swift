extension Migration {
    /// Shows a statement that acts for one user the account, sessions, keys and codes of that user alone.
    ///
    /// A forgotten condition on a route of users then shows and changes nobody else's. Statements that act for the
    /// tenant set no user and see all.
    static let owners = Migration(
        version: 38,
        name: "owners",
        up: """
            CREATE FUNCTION hearth.acting_user() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
            RETURN nullif(pg_catalog.current_setting('app.user', true), '')::uuid;

            \(owned.map { table, user in
                """
                CREATE POLICY owner ON hearth.\(table) AS RESTRICTIVE TO hearth_app
                    USING ((SELECT hearth.acting_user()) IS NULL OR \(user) = (SELECT hearth.acting_user()));
                """
            }.joined(separator: "\n"))
            CREATE POLICY owner ON hearth.refresh_tokens AS RESTRICTIVE TO hearth_app
                USING ((SELECT hearth.acting_user()) IS NULL OR EXISTS (
                    SELECT FROM hearth.user_sessions s
                    WHERE s.id = session_id AND s.user_id = (SELECT hearth.acting_user())
                ));
            """,
        down: """
            DROP POLICY owner ON hearth.refresh_tokens;
            \(owned.map { "DROP POLICY owner ON hearth.\($0.table);" }.joined(separator: "\n"))
            DROP FUNCTION hearth.acting_user();
            """
    )

    /// The tables of users, with the column that names the user.
    private static let owned: [(table: String, user: String)] =
        [("users", "id")]
        + [
            "user_sessions", "backup_codes", "user_keys", "sign_in_links", "sign_in_codes", "external_identities",
            "account_notices",
        ].map { ($0, "user_id") }
}
