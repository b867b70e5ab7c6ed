extension Migration {
    /// Gives each device its own push token, so that ending a device ends its pushes.
    ///
    /// `people.device_token` stays what is pushed to: the token registered last, of a device that is in use. The last release
    /// goes on writing it alone. Retention notes when it last looked for what arrived late.
    static let pushes = Migration(
        version: 37,
        name: "pushes",
        up: """
            ALTER TABLE hearth.devices
                ADD COLUMN push_token text CHECK (char_length(push_token) BETWEEN 1 AND 4096),
                ADD COLUMN push_platform text CHECK (push_platform IN ('ios', 'android')),
                ADD COLUMN pushed_at timestamptz,
                ADD CONSTRAINT devices_push_whole CHECK (
                    (push_token IS NULL) = (push_platform IS NULL) AND (push_token IS NULL) = (pushed_at IS NULL)
                );
            GRANT UPDATE (push_token, push_platform, pushed_at, software) ON hearth.devices TO hearth_app;
            ALTER TABLE hearth.retention ADD COLUMN swept_at timestamptz;
            GRANT UPDATE (swept_at) ON hearth.retention TO hearth_app;
            """,
        down: """
            ALTER TABLE hearth.retention DROP COLUMN swept_at;
            REVOKE UPDATE (software) ON hearth.devices FROM hearth_app;
            ALTER TABLE hearth.devices DROP CONSTRAINT devices_push_whole, DROP COLUMN pushed_at,
                DROP COLUMN push_platform, DROP COLUMN push_token;
            """
    )
}
