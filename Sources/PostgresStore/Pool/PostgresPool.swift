package import Conversation
package import Runtime
import Synchronization

/// The service's connections to PostgreSQL: some on each event loop for turns, and a few for slow statements.
///
/// Starts whether or not the server can be reached: what is asked while it is away is refused at once, and connections
/// come back by themselves. About 2 µs of processor time for each statement of a batch.
package final class PostgresPool: Service {
    /// Which connections a batch takes.
    package enum Traffic: Sendable {
        /// Those of the caller's own loop, several batches in flight on each.
        case turns
        /// Those for slow statements, one batch at a time on each.
        case background
    }

    /// The role that sessions act as; migrations make it.
    package static let role = "hearth_app"

    /// Connection parameters unless the address has others.
    ///
    /// GSSAPI encryption would be negotiated with blocking calls. A network that swallows packets is found out within 20 s,
    /// also by a connection on which nothing is sent, such as the listener's; over a unix socket this changes nothing.
    static let defaults = [
        "client_encoding": "UTF8", "fallback_application_name": "hearth", "gssencmode": "disable",
        "tcp_user_timeout": "10000", "keepalives": "1", "keepalives_idle": "10", "keepalives_interval": "3",
        "keepalives_count": "3",
    ]

    package let name = "postgres"
    /// Whether the database can be reached.
    package let health: PostgresHealth
    private let loops: EventLoopGroup
    private let lanes: [PostgresLane]
    private let backgroundLane: PostgresLane

    /// Makes a pool that is not connected yet.
    package init(
        _ address: PostgresAddress,
        on loops: EventLoopGroup,
        settings: PoolSettings = PoolSettings(),
        metrics: PostgresMetrics,
        log: Log
    ) {
        let health = PostgresHealth(log)
        let resolver = HostResolver()
        let canceller = Canceller()
        let address = address.filled(with: Self.defaults)
        func context(_ name: String) -> PoolContext {
            PoolContext(
                name: name,
                address: address,
                role: Self.role,
                settings: settings,
                resolver: resolver,
                canceller: canceller,
                health: health,
                metrics: metrics
            )
        }
        self.health = health
        self.loops = loops
        lanes = loops.loops.map { loop in
            PostgresLane(
                loop,
                connections: settings.connectionsPerLoop,
                flights: settings.flightsPerConnection,
                context("turns")
            )
        }
        backgroundLane = PostgresLane(
            loops.loops[loops.loops.count - 1],
            connections: settings.backgroundConnections,
            flights: 1,
            context("background")
        )
    }

    /// Connects; returns once each loop has a connection or knows that there is none, within two seconds.
    package func start() async {
        let deadline = Deadline(after: .seconds(2))
        await withDiscardingTaskGroup { group in
            for lane in lanes + [backgroundLane] { group.addTask { await lane.start(by: deadline) } }
        }
    }

    /// Refuses new batches, answers those that it has, and closes the connections.
    package func drain(by deadline: Deadline) async {
        await withDiscardingTaskGroup { group in
            for lane in lanes + [backgroundLane] { group.addTask { await lane.drain(by: deadline) } }
        }
    }

    /// Does a batch: one round trip, one transaction.
    ///
    /// Answers at the deadline or the caller's cancellation even if the server does not; the connection is set right
    /// behind the caller's back. A batch that only reads is sent once more when its connection breaks.
    ///
    /// - Returns: The result of each of its statements.
    package func run(
        _ batch: Batch,
        on traffic: Traffic = .turns,
        by deadline: Deadline
    ) async throws(RecordsError) -> [PostgresResult] {
        let ticket = Ticket(batch, by: deadline)
        guard !deadline.hasPassed() else { throw ticket.timeout }
        let lane = traffic == .turns ? lanes[loops.nearest.index] : backgroundLane
        lane.submit(ticket)
        let answer = await ticket.answer.value(ifCancelled: .failure(.cancelled))
        if case .failure(.cancelled) = answer { lane.abandon(ticket) }
        return try answer.get()
    }
}
