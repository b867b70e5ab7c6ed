extension Migration {
    /// Hides from statements that act for one user, or for some patients, what belongs to a tenant's administration.
    ///
    /// A statement for some patients sees webhooks, because an alert that it raises enters their deliveries. It sees
    /// the audit trail of its patients, and writes to it.
    static let administrators = Migration(
        version: 42,
        name: "administrators",
        up: """
            CREATE POLICY administered ON hearth.service_keys AS RESTRICTIVE TO hearth_app
                USING (\(ofTenant));

            CREATE POLICY administered ON hearth.webhooks AS RESTRICTIVE TO hearth_app
                USING ((SELECT hearth.acting_user()) IS NULL) WITH CHECK (\(ofTenant));
            CREATE POLICY administered_removal ON hearth.webhooks AS RESTRICTIVE FOR DELETE TO hearth_app
                USING (\(ofTenant));

            CREATE POLICY administered ON hearth.audit AS RESTRICTIVE FOR SELECT TO hearth_app
                USING ((SELECT hearth.acting_user()) IS NULL
                    AND ((SELECT hearth.patients()) IS NULL OR patient_id = ANY ((SELECT hearth.patients())::uuid[])));
            CREATE POLICY administered_removal ON hearth.audit AS RESTRICTIVE FOR DELETE TO hearth_app
                USING (\(ofTenant));

            CREATE POLICY administered ON hearth.saved_filters AS RESTRICTIVE TO hearth_app
                USING ((SELECT hearth.patients()) IS NULL AND ((SELECT hearth.acting_user()) IS NULL
                    OR operator_id IN (SELECT o.id FROM hearth.operators o WHERE o.user_id = hearth.acting_user())));
            """,
        down: """
            DROP POLICY administered ON hearth.saved_filters;
            DROP POLICY administered_removal ON hearth.audit;
            DROP POLICY administered ON hearth.audit;
            DROP POLICY administered_removal ON hearth.webhooks;
            DROP POLICY administered ON hearth.webhooks;
            DROP POLICY administered ON hearth.service_keys;
            """
    )

    private static let ofTenant = "(SELECT hearth.acting_user()) IS NULL AND (SELECT hearth.patients()) IS NULL"
}
