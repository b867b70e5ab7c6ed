package import Foundation
import Runtime
import Synchronization

/// Whether the database can be reached, and since when.
package final class PostgresHealth: Sendable {
    /// What is known at an instant.
    package struct State: Sendable, Equatable {
        /// How many connections are ready.
        package fileprivate(set) var connections = 0
        /// Since when it is as it is.
        package fileprivate(set) var since: Date
        /// Why it is down; empty while it is up.
        package fileprivate(set) var reason: String

        /// Whether any connection has been ready since the start.
        package fileprivate(set) var hasBeenUp = false
        /// How many batches in a row passed their deadline without an answer.
        package fileprivate(set) var unanswered = 0

        /// Whether any connection is ready.
        package var isUp: Bool { connections > 0 }
        /// Whether the server answers: connections to one that has stalled stay ready.
        package var isAnswering: Bool { isUp && unanswered < 3 }
    }

    private let current: Mutex<State>
    private let log: Log

    init(_ log: Log) {
        self.log = log
        current = Mutex(State(since: Date(), reason: "not connected yet"))
    }

    /// What is known now.
    package var state: State { current.withLock { $0 } }

    /// A connection became ready.
    func gained() {
        let isFirst = current.withLock { state in
            state.connections += 1
            guard state.connections == 1 else { return false }
            state.hasBeenUp = true
            state.unanswered = 0
            state.since = Date()
            state.reason = ""
            return true
        }
        if isFirst { log.notice("postgres_up") }
    }

    /// A ready connection was lost.
    func lost(_ failure: ConnectionFailure) {
        let isLast = current.withLock { state in
            state.connections -= 1
            guard state.connections == 0 else { return false }
            state.since = Date()
            state.reason = failure.description
            return true
        }
        if isLast, failure != .closed { log.warning("postgres_down", "reason" ~ failure.description) }
    }

    /// A batch was answered, whatever the answer was.
    func answered() {
        current.withLock { $0.unanswered = 0 }
    }

    /// A batch passed its deadline without an answer.
    func leftUnanswered() {
        current.withLock { $0.unanswered += 1 }
    }

    /// A connection could not be made; said once for each reason while the database is down.
    func failed(_ failure: ConnectionFailure) {
        let isNews = current.withLock { state in
            guard !state.isUp, state.reason != failure.description else { return false }
            state.reason = failure.description
            return true
        }
        if isNews { log.warning("postgres_unreachable", "reason" ~ failure.description) }
    }
}
