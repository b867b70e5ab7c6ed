/// A message for a second check, with its first decision.
struct TriagedMessage: Sendable {
    /// The turn.
    let turn: Turn
    /// The message's identity in the record.
    let id: MessageID
    /// The decided level; only a higher one has an effect.
    let level: Level
    /// Composes the model's prompt.
    let prompt: @Sendable () throws(PromptError) -> Prompt
    /// Returns the most severe alert that follows from the findings with a level and a category; nil when there is
    /// none.
    let alert: @Sendable (Level, Category) -> Alert?
    /// Called with an alert and its effect on the record; the effect is nil when it was not stored.
    let settled: @Sendable (Alert, TriageEffect?) -> Void
}
