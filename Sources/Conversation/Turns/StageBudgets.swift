/// How much of a turn's deadline each stage may spend.
package struct StageBudgets: Sendable, Equatable {
    /// A stage whose share a bundle may set too.
    package enum Stage: Sendable, CaseIterable { case remember, recall, record, reserve }

    /// The whole turn, from the request's first byte to the answer.
    package var turn: Duration
    /// Reading memory.
    package var remember: Duration
    /// Embedding and searching.
    package var recall: Duration
    /// Recording the message and its alerts, before the model is asked.
    package var record: Duration
    /// Kept back from the model for finishing and committing.
    package var reserve: Duration
    /// The stages whose share an operator has set, which no bundle changes.
    package var pinned: Set<Stage>

    /// Makes budgets; the defaults are the service's.
    package init(
        turn: Duration = .seconds(5),
        remember: Duration = .milliseconds(500),
        recall: Duration = .milliseconds(300),
        record: Duration = .milliseconds(500),
        reserve: Duration = .milliseconds(250),
        pinned: Set<Stage> = []
    ) {
        self.turn = turn
        self.remember = remember
        self.recall = recall
        self.record = record
        self.reserve = reserve
        self.pinned = pinned
    }
}
