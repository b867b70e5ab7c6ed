import Runtime

/// What is in flight on one connection in pipeline mode, in the order in which the server answers.
///
/// A state machine without a socket. libpq gives each statement's result and then null; only `PGRES_PIPELINE_SYNC` says
/// that an entry is whole, so that one is counted and null is not.
struct PipelineLedger {
    /// One thing that was sent, up to its Sync.
    enum Entry {
        /// The setting up of the session.
        case greeting
        /// The order to listen to channels.
        case listening
        /// A statement's preparation.
        case preparation(String)
        /// A batch.
        case flight(Flight)
    }

    /// What follows when the entry that is being answered is whole.
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
    /// Since when the server may be working on the head.
    private(set) var headSince = Instant(nanoseconds: 0)

    /// Whether nothing is in flight.
    var isEmpty: Bool { head == nil }
    /// How many batches are in flight.
    private(set) var flights = 0

    /// Since when the server may be working on what is no batch; nil when it works on a batch, or on nothing.
    var setupSince: Instant? {
        switch head {
        case .greeting, .listening, .preparation: headSince
        case .flight, nil: nil
        }
    }
    /// The batch that the server works on; nil when that is none.
    var headFlight: Flight? {
        if case .flight(let flight) = head { flight } else { nil }
    }

    /// Notes that an entry was sent.
    mutating func sent(_ entry: Entry, at now: Instant = .now) {
        if case .flight = entry { flights += 1 }
        if head == nil {
            head = entry
            headSince = now
        } else {
            waiting.append(entry)
        }
    }

    /// Takes the answer to one statement of the head.
    mutating func received(_ result: PostgresResult) {
        guard case .flight(var flight) = head else {
            headResults.append(result)
            return
        }
        head = nil
        flight.take(result)
        head = .flight(flight)
    }

    /// Takes the error of one statement of the head.
    mutating func failed(_ error: ServerError) {
        guard case .flight(var flight) = head else {
            headError = headError ?? error
            return
        }
        flight.take(error)
        head = .flight(flight)
    }

    /// The head is whole: the next entry becomes the head.
    ///
    /// Nil when nothing was in flight.
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
