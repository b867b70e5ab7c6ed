extension Migration {
    /// Our own words for a message, so that a turn that was never answered goes on from what was decided.
    static let resumption = Migration(
        version: 6,
        name: "resumption",
        up: "ALTER TABLE hearth.messages ADD COLUMN fixed_reply text;",
        down: "ALTER TABLE hearth.messages DROP COLUMN fixed_reply;"
    )
}
