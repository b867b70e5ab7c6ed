import Conversation
import Foundation
import PostgresStore

extension PostgresPool {
    /// Whether the database answers.
    ///
    /// Until the first connection no service key can be checked, so every turn is refused.
    var readiness: ReadinessPart {
        let state = health.state
        guard state.hasBeenUp else {
            return ReadinessPart(
                "records",
                .down,
                detail:
                    "PostgreSQL has not been reached since the start, so that no key can be checked: \(state.reason)"
            )
        }
        guard !state.isUp || state.isAnswering else {
            let detail = "PostgreSQL is connected and does not answer: \(state.unanswered) batches in a row"
            return ReadinessPart("records", .degraded, detail: detail)
        }
        guard !state.isUp else { return ReadinessPart("records", detail: "\(state.connections) connections") }
        let since = state.since.formatted(.iso8601)
        return ReadinessPart("records", .degraded, detail: "PostgreSQL is away since \(since): \(state.reason)")
    }
}
