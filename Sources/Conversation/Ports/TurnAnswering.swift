package import Runtime

/// Answers turns; the routes' interface to the pipeline.
package protocol TurnAnswering: Sendable {
    /// Answers a turn before a deadline, degraded if necessary; a repeated turn gets its stored answer.
    func answer(_ turn: Turn, by deadline: Deadline) async throws(TurnRefusal) -> Answer
}
