package import Conversation

/// Statements that are sent together, answered together, and done as one transaction: one round trip.
///
/// PostgreSQL treats what comes before one Sync message as one transaction (manual, section 55.2.4, "Pipelining"): either
/// all of it happens or, after an error, none. The first statement of the transaction is the connection's own: it sets
/// whose rows can be seen, and how long a statement may run.
package struct Batch: Sendable {
    /// Whose rows the statements can see and write.
    package enum Scope: Sendable, Equatable {
        /// One tenant's.
        case tenant(TenantID)
        /// The queues of all tenants, and nothing else: as the role `hearth_worker`.
        case queues
        /// What belongs to no tenant: bundles, releases and trials.
        case service
        /// The service key with a digest, and nothing else.
        case serviceKey(digest: String)
        /// One operator, before the tenant is known, and nothing else.
        case `operator`(OperatorID)
        /// The operators' session with a digest, and its operator, and nothing else.
        case session(digest: String)
    }

    /// Whose rows.
    package let scope: Scope
    /// The statements, in order.
    package let calls: [StatementCall]
    /// Whether it only reads, so that it may be sent again when a connection is lost before it has answered.
    package let isReadOnly: Bool

    /// Makes a batch of at least one statement.
    package init(_ scope: Scope, isReadOnly: Bool = false, _ calls: [StatementCall]) {
        precondition(!calls.isEmpty, "a batch has at least one statement")
        self.scope = scope
        self.isReadOnly = isReadOnly
        self.calls = calls
    }
}
