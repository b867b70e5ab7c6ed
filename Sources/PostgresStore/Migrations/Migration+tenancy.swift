extension Migration {
    /// Adds the closing of tenants, whose keys are suspended with them.
    ///
    /// A key is found before its tenant is known, so that the key itself says that it is suspended. The worker role
    /// shows the tenants to a superadmin.
    static let tenancy = Migration(
        version: 25,
        name: "tenancy",
        up: """
            ALTER TABLE hearth.tenants ADD COLUMN closed_at timestamptz;
            ALTER TABLE hearth.service_keys ADD COLUMN suspended_at timestamptz;
            GRANT UPDATE (suspended_at) ON hearth.service_keys TO hearth_app;
            CREATE POLICY listed ON hearth.tenants FOR SELECT TO hearth_worker USING (true);
            GRANT SELECT ON hearth.tenants TO hearth_worker;

            CREATE FUNCTION hearth.suspend_new_key() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                NEW.suspended_at := (SELECT closed_at FROM hearth.tenants WHERE id = NEW.tenant_id);
                RETURN NEW;
            END
            $$;
            CREATE TRIGGER suspend_new_key BEFORE INSERT ON hearth.service_keys
                FOR EACH ROW EXECUTE FUNCTION hearth.suspend_new_key();
            """,
        down: """
            DROP TRIGGER suspend_new_key ON hearth.service_keys;
            DROP FUNCTION hearth.suspend_new_key();
            REVOKE SELECT ON hearth.tenants FROM hearth_worker;
            DROP POLICY listed ON hearth.tenants;
            ALTER TABLE hearth.service_keys DROP COLUMN suspended_at;
            ALTER TABLE hearth.tenants DROP COLUMN closed_at;
            """
    )
}
