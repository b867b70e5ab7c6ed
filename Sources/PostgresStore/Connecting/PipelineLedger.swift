import Runtime

/// The requests in flight on one connection in pipeline mode, in the order of the server's answers.
///
/// A state machine without a socket. libpq ends each statement's result with null, but only `PGRES_PIPELINE_SYNC`
/// completes an entry. Only the latter is therefore counted.
struct PipelineLedger {
    /// One request, up to its Sync message.
    enum Entry {
        /// The session's set-up.
        case greeting
        /// A command to listen to channels.
        case listening
        /// The preparation of a statement.
        case preparation(String)
        /// A batch of statements.
        case flight(Flight)
    }

    /// The consequence of a completed entry.
    enum Outcome {
        case greeted(rows: [PostgresResult])
        case notGreeted(ServerError)
        case listening(ServerError?)
        case prepared(String)
        case notPrepared(String, ServerError)
        case answered(Flight)
    }

    private var waiting = FirstInFirstOut<Entry>()
    private var head: Entry?
    private var headResults: [PostgresResult] = []
    private var headError: ServerError?
    /// Earliest instant at which the server may have started on the head.
    private(set) var headSince = Instant(nanoseconds: 0)

    /// True when nothing is in flight.
    var isEmpty: Bool { head == nil }
    /// Number of batches in flight.
    private(set) var flights = 0

    /// Earliest start of a head that is no batch; nil when the head is a batch or missing.
    var setupSince: Instant? {
        switch head {
        case .greeting, .listening, .preparation: headSince
        case .flight, nil: nil
        }
    }
    /// The batch at the head; nil when the head is something else.
    var headFlight: Flight? {
        if case .flight(let flight) = head { flight } else { nil }
    }

    /// Adds an entry that was sent.
    mutating func sent(_ entry: Entry, at now: Instant = .now) {
        if case .flight = entry { flights += 1 }
        if head == nil {
            head = entry
            headSince = now
        } else {
            waiting.append(entry)
        }
    }

    /// Adds the result of one statement of the head.
    mutating func received(_ result: PostgresResult) {
        guard case .flight(var flight) = head else {
            headResults.append(result)
            return
        }
        head = nil
        flight.take(result)
        head = .flight(flight)
    }

    /// Adds the error of one statement of the head.
    mutating func failed(_ error: ServerError) {
        guard case .flight(var flight) = head else {
            headError = headError ?? error
            return
        }
        flight.take(error)
        head = .flight(flight)
    }

    /// Completes the head and moves to the next entry.
    ///
    /// Returns nil when nothing was in flight.
    mutating func synced(at now: Instant = .now) -> Outcome? {
        guard let done = head else { return nil }
        defer { advance(at: now) }
        switch done {
        case .greeting: return headError.map(Outcome.notGreeted) ?? .greeted(rows: headResults)
        case .listening: return .listening(headError)
        case .preparation(let name): return headError.map { .notPrepared(name, $0) } ?? .prepared(name)
        case .flight(let flight): return .answered(flight)
        }
    }

    /// Every batch in flight, in order.
    var allFlights: [Flight] {
        var flights: [Flight] = []
        if case .flight(let flight) = head { flights.append(flight) }
        waiting.forEach { if case .flight(let flight) = $0 { flights.append(flight) } }
        return flights
    }

    private mutating func advance(at now: Instant) {
        if case .flight = head { flights -= 1 }
        headResults = []
        headError = nil
        head = waiting.popFirst()
        headSince = now
    }
}
