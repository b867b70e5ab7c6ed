package import Runtime

/// The durable queue of jobs, shared by every replica.
package protocol JobQueue: Sendable {
    /// Takes jobs of these kinds that are due, with what they are about, and keeps them from other replicas until the
    /// lease ends.
    ///
    /// A conversation that goes on is left alone until it has paused or has said enough (``LullSettings``).
    func take(
        _ kinds: [Job.Kind],
        limit: Int,
        lease: Duration,
        by deadline: Deadline
    ) async throws(RecordsError) -> [Job]

    /// Writes what became of jobs of one tenant in one transaction.
    ///
    /// A job that is done goes with its effect; one that failed is tried again after a while, or after the last attempt
    /// kept as failed, with the reason.
    func settle(_ outcomes: [JobOutcome], of tenant: TenantID, by deadline: Deadline) async throws(RecordsError)
}
