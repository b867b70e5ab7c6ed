package import Conversation
import Runtime

/// The system of record in PostgreSQL: every port of the conversation's records.
///
/// Every call is one batch: one round trip, one transaction, the rows of one tenant. The conformances are in files of
/// their own, named as the port or, for those of a turn, as the call.
package struct PostgresRecords: PatientRecords {
    /// How often a job is tried before it is kept as failed.
    ///
    /// With the delays of ``RetryDelay`` the last attempt comes after a good two hours, so that a model or a server that is
    /// away for a while costs no memory.
    package static let jobAttempts = 16

    /// The channel on which alerts are announced.
    package static let alertChannel = Recording.alertChannel

    /// The channel on which the digests of revoked service keys are announced.
    package static let keyChannel = "hearth_keys"

    private let pool: PostgresPool
    let lulls: LullSettings

    /// Makes the records of the database that a pool is connected to.
    package init(_ pool: PostgresPool, lulls: LullSettings = LullSettings()) {
        self.pool = pool
        self.lulls = lulls
    }

    /// Does statements that only read, of one tenant.
    func read(
        _ tenant: TenantID,
        on traffic: PostgresPool.Traffic = .turns,
        by deadline: Deadline,
        _ calls: StatementCall...
    ) async throws(RecordsError) -> [PostgresResult] {
        try await pool.run(Batch(.tenant(tenant), isReadOnly: true, calls), on: traffic, by: deadline)
    }

    /// Does statements that write, of one tenant.
    func write(
        _ tenant: TenantID,
        on traffic: PostgresPool.Traffic = .turns,
        by deadline: Deadline,
        _ calls: [StatementCall]
    ) async throws(RecordsError) -> [PostgresResult] {
        try await pool.run(Batch(.tenant(tenant), calls), on: traffic, by: deadline)
    }

    /// Does statements in another scope than a tenant's.
    func run(
        _ scope: Batch.Scope,
        on traffic: PostgresPool.Traffic = .background,
        isReadOnly: Bool = false,
        by deadline: Deadline,
        _ calls: StatementCall...
    ) async throws(RecordsError) -> [PostgresResult] {
        try await run(scope, on: traffic, isReadOnly: isReadOnly, by: deadline, calls)
    }

    /// Does statements in another scope than a tenant's.
    func run(
        _ scope: Batch.Scope,
        on traffic: PostgresPool.Traffic = .background,
        isReadOnly: Bool = false,
        by deadline: Deadline,
        _ calls: [StatementCall]
    ) async throws(RecordsError) -> [PostgresResult] {
        try await pool.run(Batch(scope, isReadOnly: isReadOnly, calls), on: traffic, by: deadline)
    }
}
