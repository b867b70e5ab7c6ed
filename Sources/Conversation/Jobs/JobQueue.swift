package import Runtime

/// The durable queue of jobs, shared by every replica.
package protocol JobQueue: Sendable {
    /// Claims due jobs of these kinds with their subjects, under a lease.
    ///
    /// A conversation in progress is left alone until it has paused or has enough messages (``LullSettings``).
    func take(
        _ kinds: [Job.Kind],
        limit: Int,
        lease: Duration,
        by deadline: Deadline
    ) async throws(RecordsError) -> [Job]

    /// Writes the outcomes of one tenant's jobs in one transaction.
    ///
    /// A finished job is removed and its effect written. A failed job is tried again after a while, or kept as failed
    /// with the reason after the last attempt.
    func settle(_ outcomes: [JobOutcome], of tenant: TenantID, by deadline: Deadline) async throws(RecordsError)
}
