extension Migration {
    /// Stores the canned reply of a message, so that an unanswered turn resumes from its recorded decision.
    static let resumption = Migration(
        version: 6,
        name: "resumption",
        up: "ALTER TABLE hearth.messages ADD COLUMN fixed_reply text;",
        down: "ALTER TABLE hearth.messages DROP COLUMN fixed_reply;"
    )
}
