package import Runtime

/// Answers turns: what the routes ask of the pipeline.
package protocol TurnAnswering: Sendable {
    /// Answers a turn before a deadline, degraded if need be; a repeat of an answered turn gets the stored answer.
    func answer(_ turn: Turn, by deadline: Deadline) async throws(TurnRefusal) -> Answer
}
