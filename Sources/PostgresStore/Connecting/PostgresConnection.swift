import CPostgres
import Runtime

/// One connection to PostgreSQL in pipeline mode: several batches in flight, answered in the order in which they came.
///
/// Confined to its loop, like the socket watch and the timer that it holds: opened, used, closed and released on the
/// loop's thread; the actor that owns it lives there too. Owns the `PGconn`. Nothing here waits: what happens is told to
/// the owner as events.
final class PostgresConnection {
    /// What the owner is told.
    enum Event {
        /// The session is set up; batches may be sent.
        case ready
        /// The session listens to the channels that it was told to.
        case listening
        /// A batch is whole.
        case answered(Flight)
        /// The server announced something on a channel that the session listens to.
        case notified(channel: String, payload: String)
        /// There is no connection any more; these batches were sent and never answered.
        case lost(ConnectionFailure, unanswered: [Flight])
    }

    private enum State {
        case closed, connecting, greeting, ready
    }

    private let loop: EventLoop
    private let role: String
    private let tell: (Event) -> Void
    private var handle: OpaquePointer?
    private var watch: SocketWatch?
    private var timer: LoopTimer?
    private var state = State.closed
    private var ledger = PipelineLedger()
    private var prepared: Set<String> = []
    private var preparationErrors: [String: ServerError] = [:]
    private var encoder = ParameterEncoder()

    /// Makes a connection that is not open.
    ///
    /// - Parameters:
    ///   - role: The role that the session acts as; the user of the address must be a member of it.
    ///   - tell: Called on the loop for each event; may send and close, not open.
    init(_ loop: EventLoop, role: String, _ tell: @escaping (Event) -> Void) {
        self.loop = loop
        self.role = role
        self.tell = tell
    }

    /// Whether batches may be sent.
    var isReady: Bool { state == .ready }
    /// How many batches are in flight.
    var flights: Int { ledger.flights }
    /// Every batch in flight, in order.
    var allFlights: [Flight] { ledger.allFlights }
    /// The batch that the server works on, and since when at most; nil when there is none.
    var head: (flight: Flight, since: Instant)? { ledger.headFlight.map { ($0, ledger.headSince) } }
    /// Since when what is no batch may be waiting for its answer; nil when nothing is, or a batch comes first.
    var setupSince: Instant? { ledger.setupSince }

    /// Starts to connect; ends in `ready` or `lost`.
    ///
    /// - Parameter address: With host names resolved already.
    func open(_ address: PostgresAddress, by deadline: Deadline) {
        precondition(handle == nil, "a connection is opened once at a time")
        handle = address.withKeywordsAndValues { PQconnectStartParams($0, $1, 0) }
        PQsetNoticeReceiver(handle, ignoreNotice, nil)
        guard PQstatus(handle) != CONNECTION_BAD else { return lose(.refused(reason: message)) }
        state = .connecting
        timer = LoopTimer(loop) { [unowned self] in lose(.timedOut) }
        timer?.start(at: deadline)
        watchSocket(for: .writable)
    }

    /// Sends a batch; its statements are prepared first where this connection has not seen them.
    func send(_ ticket: Ticket, attempt: Int) {
        precondition(state == .ready, "a batch is sent on a ready connection")
        let opening = ticket.batch.scope.opening(within: ticket.deadline.remaining())
        prepare(opening.statement)
        for call in ticket.batch.calls { prepare(call.statement) }
        ledger.sent(.flight(Flight(ticket, attempt: attempt)))
        guard sendAll([opening] + ticket.batch.calls), PQpipelineSync(handle) == 1 else {
            return lose(.broken(reason: message))
        }
        flush()
    }

    /// Has the session listen to channels, whose announcements come as events; ends in `listening` or `lost`.
    func listen(to channels: [String]) {
        let sent = channels.allSatisfy { sendOnce(Statement("listen", [], "LISTEN \($0)")()) }
        guard sent, PQpipelineSync(handle) == 1 else { return lose(.broken(reason: message)) }
        ledger.sent(.listening)
        flush()
    }

    /// Closes the connection without an event; batches in flight are the caller's to answer.
    func close() {
        watch = nil
        timer = nil
        if let handle { PQfinish(handle) }
        handle = nil
        state = .closed
        ledger = PipelineLedger()
        prepared = []
        preparationErrors = [:]
    }

    /// Closes the connection and tells why.
    func lose(_ failure: ConnectionFailure) {
        let unanswered = ledger.allFlights
        close()
        tell(.lost(failure, unanswered: unanswered))
    }

    /// What asks the server, over a connection of its own, to stop what it works on for this one; nil when closed.
    func cancellation() -> CancelRequest? {
        CancelRequest(of: handle)
    }

    deinit { close() }
}

// MARK: Connecting

extension PostgresConnection {
    private func watchSocket(for readiness: SocketReadiness) {
        let descriptor = PQsocket(handle)
        guard descriptor >= 0 else { return lose(.refused(reason: message)) }
        watch = SocketWatch(loop, descriptor: descriptor) { [unowned self] readiness in ready(for: readiness) }
        watch?.wait(for: readiness)
    }

    private func ready(for readiness: SocketReadiness) {
        guard state == .connecting else { return readiness.contains(.readable) ? receive() : flush() }
        // libpq may close the socket and try the next address, so the watch never outlives a step.
        watch = nil
        switch PQconnectPoll(handle) {
        case PGRES_POLLING_READING: watchSocket(for: .readable)
        case PGRES_POLLING_WRITING: watchSocket(for: .writable)
        case PGRES_POLLING_OK: greet()
        default: lose(.refused(reason: message))
        }
    }

    private func greet() {
        state = .greeting
        watchSocket(for: .readable)
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1,
            sendOnce(SessionGreeting.assume(role: role)), sendOnce(SessionGreeting.inspect), PQpipelineSync(handle) == 1
        else { return lose(.broken(reason: message)) }
        ledger.sent(.greeting)
        flush()
    }

    private func greeted(_ results: [PostgresResult]) {
        if let failure = SessionGreeting.failure(in: results, role: role) { return lose(failure) }
        timer = nil
        state = .ready
        tell(.ready)
    }
}

// MARK: Sending

extension PostgresConnection {
    private func prepare(_ statement: Statement) {
        guard prepared.insert(statement.name).inserted else { return }
        let types = statement.parameters.map(\.rawValue)
        guard PQsendPrepare(handle, statement.name, statement.text, Int32(types.count), types) == 1,
            PQpipelineSync(handle) == 1
        else { return }
        ledger.sent(.preparation(statement.name))
    }

    private func sendAll(_ calls: [StatementCall]) -> Bool {
        calls.allSatisfy { call in
            encoder.encode(call.values) { count, values, lengths, formats in
                PQsendQueryPrepared(handle, call.statement.name, count, values, lengths, formats, 1) == 1
            }
        }
    }

    private func sendOnce(_ call: StatementCall) -> Bool {
        let types = call.statement.parameters.map(\.rawValue)
        return encoder.encode(call.values) { count, values, lengths, formats in
            PQsendQueryParams(handle, call.statement.text, count, types, values, lengths, formats, 1) == 1
        }
    }

    private func flush() {
        switch PQflush(handle) {
        case 0: watch?.wait(for: .readable)
        case 1: watch?.wait(for: [.readable, .writable])
        default: lose(.broken(reason: message))
        }
    }
}

// MARK: Receiving

extension PostgresConnection {
    private func receive() {
        guard PQconsumeInput(handle) == 1 else { return lose(.broken(reason: message)) }
        takeResults()
        takeNotifications()
        guard handle != nil else { return }
        guard PQstatus(handle) != CONNECTION_BAD else { return lose(.broken(reason: message)) }
        flush()
    }

    /// Takes what has arrived.
    ///
    /// Null ends a statement; several in a row mean that libpq and the ledger disagree.
    private func takeResults() {
        var nulls = 0
        while handle != nil, !ledger.isEmpty, PQisBusy(handle) == 0 {
            if let result = PQgetResult(handle) {
                nulls = 0
                take(result)
            } else {
                nulls += 1
                guard nulls < 4 else { return lose(.broken(reason: "answers are out of step")) }
            }
        }
    }

    private func take(_ result: OpaquePointer) {
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
            ledger.received(PostgresResult(owning: result))
            return
        case PGRES_PIPELINE_SYNC:
            PQclear(result)
            if let outcome = ledger.synced() { settle(outcome) }
            return
        case PGRES_PIPELINE_ABORTED:
            break
        default:
            ledger.failed(ServerError(of: result))
        }
        PQclear(result)
        if PQstatus(handle) == CONNECTION_BAD { lose(.broken(reason: message)) }
    }

    private func settle(_ outcome: PipelineLedger.Outcome) {
        switch outcome {
        case .greeted(let results): greeted(results)
        case .notGreeted(let error): lose(SessionGreeting.failure(error, role: role))
        case .listening(let error): error.map { lose(.refused(reason: $0.message)) } ?? tell(.listening)
        case .prepared(let name): preparationErrors[name] = nil
        case .notPrepared(let name, let error):
            prepared.remove(name)
            preparationErrors[name] = error
        case .answered(let flight): tell(.answered(explained(flight)))
        }
    }

    /// "Unknown prepared statement" is no explanation; why it could not be prepared is.
    private func explained(_ flight: Flight) -> Flight {
        guard flight.error?.code == "26000" else { return flight }
        let causes = flight.ticket.batch.calls.compactMap { preparationErrors[$0.statement.name] }
        guard let cause = causes.first else { return flight }
        var flight = flight
        flight.blame(cause)
        return flight
    }

    private func takeNotifications() {
        while let handle, let notification = PQnotifies(handle) {
            let channel = String(cString: notification.pointee.relname)
            let payload = String(cString: notification.pointee.extra)
            PQfreemem(notification)
            tell(.notified(channel: channel, payload: payload))
        }
    }

    private var message: String { PostgresText.line(PQerrorMessage(handle)) }
}

/// Notices are for people at a terminal; the default would print them on standard error.
private let ignoreNotice: PQnoticeReceiver = { _, _ in }
