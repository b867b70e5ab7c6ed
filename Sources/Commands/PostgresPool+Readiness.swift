import Conversation
import Foundation
import PostgresStore

extension PostgresPool {
    /// Whether the system of record answers.
    var readiness: ReadinessPart {
        let state = health.state
        guard !state.isUp else { return ReadinessPart("records", detail: "\(state.connections) connections") }
        let since = state.since.formatted(.iso8601)
        return ReadinessPart("records", .degraded, detail: "PostgreSQL is away since \(since): \(state.reason)")
    }
}
