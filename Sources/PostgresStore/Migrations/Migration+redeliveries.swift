extension Migration {
    /// Lets a tenant have a settled delivery posted again.
    static let redeliveries = Migration(
        version: 41,
        name: "redeliveries",
        up: """
            GRANT UPDATE (state, attempts, due_at, leased_until, settled_at) ON hearth.webhook_deliveries TO hearth_app;
            """,
        down: """
            REVOKE UPDATE (state, attempts, due_at, leased_until, settled_at) ON hearth.webhook_deliveries
                FROM hearth_app;
            """
    )
}
