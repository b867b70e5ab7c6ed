extension Migration {
    /// Adds when a tenant's messages were last deleted, and takes the words out of saved searches.
    ///
    /// A replica that missed the announcements of retention finds the tenants whose memories it must read anew. The
    /// words of a search may be a patient's, who may be erased. A trigger takes them out, also of what the release
    /// before stores.
    static let removals = Migration(
        version: 31,
        name: "removals",
        up: """
            ALTER TABLE hearth.retention ADD COLUMN removed_at timestamptz;
            GRANT UPDATE (removed_at) ON hearth.retention TO hearth_app;

            CREATE FUNCTION hearth.drop_words() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                NEW.query := ltrim(regexp_replace(NEW.query, '(^|&)q=[^&]*', '', 'g'), '&');
                RETURN NEW;
            END
            $$;
            CREATE TRIGGER drop_words BEFORE INSERT OR UPDATE ON hearth.saved_filters
                FOR EACH ROW EXECUTE FUNCTION hearth.drop_words();
            ALTER TABLE hearth.saved_filters NO FORCE ROW LEVEL SECURITY;
            UPDATE hearth.saved_filters SET query = query;
            ALTER TABLE hearth.saved_filters FORCE ROW LEVEL SECURITY;
            """,
        down: """
            DROP TRIGGER drop_words ON hearth.saved_filters;
            DROP FUNCTION hearth.drop_words();
            ALTER TABLE hearth.retention DROP COLUMN removed_at;
            """
    )
}
