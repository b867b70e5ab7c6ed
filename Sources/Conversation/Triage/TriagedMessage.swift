/// A message that a model looks at once more, with what was decided of it.
struct TriagedMessage: Sendable {
    /// The turn.
    let turn: Turn
    /// The message's identity in the record.
    let id: MessageID
    /// What was decided; only what is graver counts.
    let level: Level
    /// Makes what the model is asked.
    let prompt: @Sendable () throws(PromptError) -> Prompt
    /// The gravest alert that follows from what was found and a level and a category besides; nil when none does.
    let alert: @Sendable (Level, Category) -> Alert?
    /// Called with an alert and what the record made of it; nil when it did not take it.
    let settled: @Sendable (Alert, TriageEffect?) -> Void
}
