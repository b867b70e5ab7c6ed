/// How many connections a pool keeps, and how much may wait for them.
package struct PoolSettings: Sendable, Equatable {
    /// Connections on each event loop, for turns.
    package var connectionsPerLoop: Int
    /// How many batches may be in flight on one of them.
    package var flightsPerConnection: Int
    /// Connections for slow statements, one batch at a time on each, so that none holds up a turn.
    package var backgroundConnections: Int
    /// How many batches may wait on each loop; one more is refused.
    package var queueLimit: Int
    /// How long connecting may take.
    package var connectTime: Duration
    /// How long a batch that its caller has given up may go on before the server is asked to stop it.
    package var cancelAfter: Duration
    /// How long after its deadline a batch may stay unanswered before the connection is taken for dead.
    package var silence: Duration
    /// How long reconnecting waits.
    package var backoff: Backoff

    /// Makes settings; the defaults are the service's.
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
