import Runtime

/// A connection's place in a lane, which outlives the connections that are made for it.
///
/// Confined to its lane's loop.
final class ConnectionSlot {
    let connection: PostgresConnection
    /// Failures in a row; a connection that breaks within a second, without having answered, counts as one.
    private(set) var failures = 0
    private(set) var lastFailure: ConnectionFailure?
    /// Whether the server is being asked to stop what it does for this connection; nothing is sent meanwhile.
    var isCancelling = false
    private var lastCancel: Instant?
    private var hasAnswered = false
    private let retry: LoopTimer
    private var readySince: Instant?

    init(_ connection: PostgresConnection, retry: LoopTimer) {
        self.connection = connection
        self.retry = retry
    }

    /// Whether a connection is there or may yet come before anybody has been told otherwise.
    var hasHope: Bool { connection.isReady || failures == 0 }

    /// Whether one more batch may be sent.
    func hasRoom(for limit: Int) -> Bool {
        connection.isReady && !isCancelling && connection.flights < limit
    }

    /// Notes that the connection is ready.
    func becameReady(at now: Instant = .now) {
        readySince = now
        isCancelling = false
        hasAnswered = false
        lastFailure = nil
    }

    /// Notes a failure and sets the timer that tries again; returns whether the connection had been ready.
    func failed(_ failure: ConnectionFailure, _ backoff: Backoff, at now: Instant = .now) -> Bool {
        let wasSteady = readySince.map { hasAnswered || now.since($0) >= .seconds(1) } ?? false
        defer { readySince = nil }
        failures = wasSteady ? 0 : failures + 1
        lastFailure = failure
        retry.start(after: failures == 0 ? .zero : backoff.delay(afterFailures: failures))
        return readySince != nil
    }

    /// Notes that a batch was answered: the server is well.
    func answered() {
        failures = 0
        hasAnswered = true
    }

    /// Notes that the server is being asked to stop what it does.
    func beginCancelling(at now: Instant = .now) {
        isCancelling = true
        lastCancel = now
    }

    /// Whether the server was asked to stop something since an instant.
    func hasCancelled(since instant: Instant) -> Bool {
        lastCancel.map { $0 >= instant } ?? false
    }

    /// Stops trying.
    func stop() {
        retry.cancel()
        connection.close()
    }
}
