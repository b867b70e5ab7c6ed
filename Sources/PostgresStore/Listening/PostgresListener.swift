import Conversation
package import Runtime

/// Receives announcements on channels of the database, over its own connection, which reconnects by itself.
///
/// Announcements made while the connection was down are lost. Handlers are therefore notified of each reconnection and must
/// check for missed changes.
package actor PostgresListener: Service {
    /// An event for a handler.
    package enum News: Sendable, Equatable {
        /// The connection is established, for the first time or again; announcements may have been missed.
        case connected
        /// An announcement arrived.
        case announced(payload: String)
    }

    /// Handles a channel's events; called on the listener's loop, so long work must run elsewhere.
    package typealias Handler = @Sendable (News) -> Void

    /// Name of the service in the log.
    package nonisolated let name = "postgres_listener"
    private nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let address: PostgresAddress
    private let handlers: [String: Handler]
    private let settings: PoolSettings
    private let log: Log
    private let resolver = HostResolver()
    private var connection: PostgresConnection?
    private var retry: LoopTimer?
    private var failures = 0
    private var isStopped = false

    /// Creates a listener that is not connected yet.
    ///
    /// - Parameter handlers: The handler of each channel.
    package init(
        _ address: PostgresAddress,
        on loop: EventLoop,
        settings: PoolSettings = PoolSettings(),
        log: Log,
        handlers: [String: Handler]
    ) {
        self.address = address.filled(with: PostgresPool.defaults)
        self.loop = loop
        self.settings = settings
        self.log = log
        self.handlers = handlers
    }

    /// Starts to connect and returns at once.
    package func start() {
        connection = PostgresConnection(loop, role: PostgresPool.role) { [weak self] event in
            self?.assumeIsolated { $0.handle(event) }
        }
        retry = LoopTimer(loop) { [weak self] in self?.assumeIsolated { $0.connect() } }
        connect()
    }

    /// Closes the connection.
    package func drain(by deadline: Deadline) {
        isStopped = true
        connection?.close()
        connection = nil
        retry = nil
    }

    /// Releases the socket and the timer on their loop, also when the listener was never drained.
    isolated deinit { connection?.close() }

    private func connect() {
        guard !isStopped else { return }
        let deadline = Deadline(after: settings.connectTime)
        Task {
            do throws(ConnectionFailure) {
                let resolved = try await resolver.resolve(address, by: deadline)
                connection?.open(resolved, by: deadline)
            } catch {
                connection?.lose(error)
            }
        }
    }

    private func handle(_ event: PostgresConnection.Event) {
        switch event {
        case .ready: connection?.listen(to: handlers.keys.sorted())
        case .listening:
            failures = 0
            log.info("postgres_listening")
            for handler in handlers.values { handler(.connected) }
        case .notified(let channel, let payload): handlers[channel]?(.announced(payload: payload))
        case .lost(let failure, _): lost(failure)
        case .answered: break
        }
    }

    private func lost(_ failure: ConnectionFailure) {
        failures += 1
        if failures == 1 { log.warning("postgres_listener_lost", "reason" ~ failure.description) }
        retry?.start(after: settings.backoff.delay(afterFailures: failures))
    }
}
