extension Migration {
    /// Shows whether the tenant of an address is closed, so that its users are refused like unknown ones.
    ///
    /// An address is looked up before its tenant is known. The setting is compared first: most statements have none,
    /// and then no users are read.
    static let closures = Migration(
        version: 30,
        name: "closures",
        up: """
            CREATE POLICY tried ON hearth.tenants FOR SELECT TO hearth_app USING (
                pg_catalog.current_setting('app.email', true) <> '' AND (
                    EXISTS (SELECT FROM hearth.users u
                        WHERE u.tenant_id = tenants.id AND u.email = pg_catalog.current_setting('app.email', true))
                    OR EXISTS (SELECT FROM hearth.users u
                        WHERE u.tenant_id = tenants.id AND u.phone = pg_catalog.current_setting('app.email', true))
                )
            );
            """,
        down: "DROP POLICY tried ON hearth.tenants;"
    )
}
