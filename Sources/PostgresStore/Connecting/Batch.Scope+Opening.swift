import Conversation
import Runtime

extension Batch.Scope {
    /// Returns the statement that opens a transaction: it sets the visible rows and the statement time limit.
    ///
    /// The settings end with the transaction, so that one tenant's settings never reach the next.
    func opening(within time: Duration) -> StatementCall {
        let limit = PostgresValue.integer(max(1, time.nanoseconds / 1_000_000))
        return switch self {
        case .tenant(let tenant): Self.openTenant(.uuid(tenant.uuid), limit)
        case .queues: Self.openQueues(limit)
        case .service: Self.openService(limit)
        case .serviceKey(let digest): Self.openServiceKey(.text(digest), limit)
        case .operator(let person): Self.openOperator(.text(person.description), limit)
        case .session(let digest): Self.openSession(.text(digest), limit)
        }
    }

    private static let openTenant = Statement(
        "open_tenant",
        [.uuid, .int8],
        "SELECT set_config('app.tenant', $1::text, true), set_config('statement_timeout', $2::text, true)"
    )

    private static let openQueues = Statement(
        "open_queues",
        [.int8],
        "SELECT set_config('role', 'hearth_worker', true), set_config('statement_timeout', $1::text, true)"
    )

    private static let openService = Statement(
        "open_service",
        [.int8],
        "SELECT set_config('statement_timeout', $1::text, true)"
    )

    private static let openServiceKey = Statement(
        "open_service_key",
        [.text, .int8],
        "SELECT set_config('app.key_digest', $1, true), set_config('statement_timeout', $2::text, true)"
    )

    private static let openOperator = Statement(
        "open_operator",
        [.text, .int8],
        "SELECT set_config('app.operator', $1, true), set_config('statement_timeout', $2::text, true)"
    )

    private static let openSession = Statement(
        "open_session",
        [.text, .int8],
        "SELECT set_config('app.session_digest', $1, true), set_config('statement_timeout', $2::text, true)"
    )
}
