/// Sizes, limits and time limits of a connection pool.
package struct PoolSettings: Sendable, Equatable {
    /// Connections on each event loop for turns.
    package var connectionsPerLoop: Int
    /// Largest number of batches in flight on each of them.
    package var flightsPerConnection: Int
    /// Connections for slow statements, with one batch at a time, so that none delays a turn.
    package var backgroundConnections: Int
    /// Largest number of waiting batches on each loop; further ones are rejected.
    package var queueLimit: Int
    /// Time limit for connecting.
    package var connectTime: Duration
    /// Time after which the server is asked to cancel a batch that its caller abandoned.
    package var cancelAfter: Duration
    /// Time after a batch's deadline at which an unanswered connection is considered dead.
    package var silence: Duration
    /// Waits between reconnections.
    package var backoff: Backoff

    /// Creates settings; the defaults are the service's.
    package init(
        connectionsPerLoop: Int = 4,
        flightsPerConnection: Int = 16,
        backgroundConnections: Int = 2,
        queueLimit: Int = 4096,
        connectTime: Duration = .seconds(5),
        cancelAfter: Duration = .milliseconds(50),
        silence: Duration = .seconds(2),
        backoff: Backoff = Backoff()
    ) {
        self.connectionsPerLoop = connectionsPerLoop
        self.flightsPerConnection = flightsPerConnection
        self.backgroundConnections = backgroundConnections
        self.queueLimit = queueLimit
        self.connectTime = connectTime
        self.cancelAfter = cancelAfter
        self.silence = silence
        self.backoff = backoff
    }
}
