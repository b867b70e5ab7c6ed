package import Conversation

/// Statements that are sent, answered and committed together: one round trip and one transaction.
///
/// PostgreSQL treats everything before one Sync message as one transaction (manual, section 55.2.4, "Pipelining").
/// After an error none of it happens. The connection adds the first statement, which sets the visible rows and the
/// statement time limit.
package struct Batch: Sendable {
    /// The rows that the statements may read and write.
    package enum Scope: Sendable, Equatable {
        /// The rows of one tenant.
        case tenant(TenantID)
        /// The queues of all tenants and nothing else, as the role `hearth_worker`.
        case queues
        /// Data of no tenant: bundles, releases and trials.
        case service
        /// The service key with a digest, and nothing else.
        case serviceKey(digest: String)
        /// One operator before the tenant is known, and nothing else.
        case `operator`(OperatorID)
        /// The session with a digest and its operator, and nothing else.
        case session(digest: String)
    }

    /// Visible rows.
    package let scope: Scope
    /// Statements in order.
    package let calls: [StatementCall]
    /// True when the batch only reads, so that it may be repeated after a lost connection.
    package let isReadOnly: Bool

    /// Creates a batch of at least one statement.
    package init(_ scope: Scope, isReadOnly: Bool = false, _ calls: [StatementCall]) {
        precondition(!calls.isEmpty, "a batch has at least one statement")
        self.scope = scope
        self.isReadOnly = isReadOnly
        self.calls = calls
    }
}
