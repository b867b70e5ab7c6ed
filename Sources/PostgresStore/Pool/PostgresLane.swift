import Conversation
import Runtime

/// The connections of one event loop with their queue of waiting batches.
///
/// The lane of a turn's own loop serves it, so that the answer needs no change of thread.
actor PostgresLane {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let context: PoolContext
    private let connectionCount: Int
    private let flightLimit: Int
    private var slots: [ConnectionSlot] = []
    private var waiting = FirstInFirstOut<(ticket: Ticket, attempt: Int)>()
    private var sweeper: LoopTimer?
    private var nextSweep: Deadline?
    private var isStopped = false
    private var opened = OneShot<Void>()
    private var emptied: OneShot<Void>?

    init(_ loop: EventLoop, connections: Int, flights: Int, _ context: PoolContext) {
        self.loop = loop
        self.context = context
        connectionCount = connections
        flightLimit = flights
    }

    /// Starts to connect; returns when a connection is ready, the first attempt has failed, or the deadline passes.
    func start(by deadline: Deadline) async {
        sweeper = LoopTimer(loop) { [weak self] in self?.assumeIsolated { $0.sweep() } }
        slots = (0..<connectionCount).map { makeSlot($0) }
        for slot in slots { connect(slot) }
        let opened = self.opened
        let limit = Alarm(at: deadline) { opened.settle(()) }
        defer { limit.cancel() }
        await opened.value(ifCancelled: ())
    }

    /// Accepts no more batches, waits for the pending ones until the deadline, and closes the connections.
    func drain(by deadline: Deadline) async {
        isStopped = true
        let emptied = OneShot<Void>()
        self.emptied = emptied
        settleIfEmptied()
        let limit = Alarm(at: deadline) { emptied.settle(()) }
        await emptied.value(ifCancelled: ())
        limit.cancel()
        close()
    }

    /// Releases the sockets and timers on their loop, also when the lane was never drained.
    isolated deinit { close() }

    /// Sends, queues or rejects a batch; callable from any thread.
    nonisolated func submit(_ ticket: Ticket) {
        enter { $0.admit(ticket) }
    }

    /// Marks a ticket as abandoned by its caller; callable from any thread.
    nonisolated func abandon(_ ticket: Ticket) {
        enter { lane in
            lane.context.count(.failure(.cancelled), of: ticket)
            lane.arm(Deadline(after: lane.context.settings.cancelAfter))
        }
    }

    private nonisolated func enter(_ work: @escaping @Sendable (isolated PostgresLane) -> Void) {
        guard !loop.isCurrent else { return assumeIsolated { work($0) } }
        loop.execute { self.assumeIsolated { work($0) } }
    }
}

// MARK: Batches

extension PostgresLane {
    private func admit(_ ticket: Ticket) {
        guard !isStopped else { return settle(ticket, .failure(.unavailable(reason: "the pool is stopped"))) }
        guard slots.contains(where: \.hasHope) else { return settle(ticket, .failure(.unavailable(reason: reason))) }
        if waiting.isEmpty, let slot = roomiest() {
            slot.connection.send(ticket, attempt: 0)
        } else if waiting.count < context.settings.queueLimit {
            waiting.append((ticket, 0))
            context.countWaiting(1)
        } else {
            return settle(ticket, .failure(.overloaded(waiting: waiting.count)))
        }
        arm(ticket.deadline)
    }

    /// Sends waiting batches as far as there is room.
    private func pump() {
        while !waiting.isEmpty, let slot = roomiest(), let next = waiting.popFirst() {
            context.countWaiting(-1)
            if next.ticket.answer.isSettled { continue }
            slot.connection.send(next.ticket, attempt: next.attempt)
        }
        settleIfEmptied()
    }

    /// Returns the ready connection with the fewest batches in flight; nil when none has room.
    private func roomiest() -> ConnectionSlot? {
        var best: ConnectionSlot?
        for slot in slots where slot.hasRoom(for: flightLimit) {
            if best.map({ slot.connection.flights < $0.connection.flights }) ?? true { best = slot }
        }
        return best
    }

    private func settle(_ ticket: Ticket, _ answer: Ticket.Answer) {
        if ticket.answer.settle(answer) { context.count(answer, of: ticket) }
    }

    /// Sends a batch again when that is harmless; otherwise reports the lost connection to its caller.
    private func retry(_ flight: Flight, _ failure: RecordsError, isHarmless: Bool) {
        guard isHarmless, flight.attempt == 0, !isStopped, !flight.ticket.deadline.hasPassed() else {
            return settle(flight.ticket, .failure(failure))
        }
        guard !flight.ticket.answer.isSettled else { return }
        waiting.append((flight.ticket, flight.attempt + 1))
        context.countWaiting(1)
    }

    private func refuseWaiting() {
        while let next = waiting.popFirst() {
            context.countWaiting(-1)
            settle(next.ticket, .failure(.unavailable(reason: reason)))
        }
    }

    private func settleIfEmptied() {
        guard let emptied, waiting.isEmpty, slots.allSatisfy({ $0.connection.flights == 0 }) else { return }
        emptied.settle(())
    }

    private var reason: String {
        slots.lazy.compactMap(\.lastFailure).first?.description ?? "not connected"
    }
}

// MARK: Connections

extension PostgresLane {
    private func makeSlot(_ index: Int) -> ConnectionSlot {
        let connection = PostgresConnection(loop, role: context.role) { [weak self] event in
            self?.assumeIsolated { $0.handle(event, of: index) }
        }
        let retry = LoopTimer(loop) { [weak self] in self?.assumeIsolated { $0.connect($0.slots[index]) } }
        return ConnectionSlot(connection, retry: retry)
    }

    private func connect(_ slot: ConnectionSlot) {
        guard !isStopped else { return }
        let deadline = Deadline(after: context.settings.connectTime)
        guard context.mustResolve else { return slot.connection.open(context.address, by: deadline) }
        Task { await resolveAndOpen(slot, by: deadline) }
    }

    private func resolveAndOpen(_ slot: ConnectionSlot, by deadline: Deadline) async {
        do {
            let address = try await context.resolver.resolve(context.address, by: deadline)
            guard !isStopped else { return }
            slot.connection.open(address, by: deadline)
        } catch {
            slot.connection.lose(error)
        }
    }

    private func handle(_ event: PostgresConnection.Event, of index: Int) {
        guard index < slots.count else { return }
        let slot = slots[index]
        switch event {
        case .ready: becameReady(slot)
        case .answered(let flight): answered(flight, slot)
        case .lost(let failure, let unanswered): lost(slot, failure, unanswered)
        case .notified, .listening: break
        }
    }

    private func becameReady(_ slot: ConnectionSlot) {
        slot.becameReady()
        context.countReady()
        opened.settle(())
        pump()
    }

    private func answered(_ flight: Flight, _ slot: ConnectionSlot) {
        slot.answered()
        if let error = flight.error, error.makesPreparedStale {
            retry(flight, error.asRecordsError, isHarmless: true)
            return slot.connection.lose(.broken(reason: error.message))
        }
        if flight.error?.isCancellation == true {
            // The batch met its own time limit, or a cancellation meant for the batch before it.
            retry(flight, flight.ticket.timeout, isHarmless: slot.hasCancelled(since: flight.ticket.submitted))
        } else {
            settle(flight.ticket, flight.answer)
        }
        if let head = slot.connection.head, head.flight.ticket.answer.isSettled {
            arm(Deadline(head.since + context.settings.cancelAfter))
        }
        pump()
    }

    private func lost(_ slot: ConnectionSlot, _ failure: ConnectionFailure, _ unanswered: [Flight]) {
        let wasReady = slot.failed(failure, context.settings.backoff)
        context.countLost(failure, wasReady: wasReady)
        for flight in unanswered {
            let reason = RecordsError.unavailable(reason: failure.description)
            retry(flight, reason, isHarmless: flight.ticket.batch.isReadOnly)
        }
        if !slots.contains(where: \.hasHope) {
            refuseWaiting()
            opened.settle(())
        }
        pump()
    }

    private func close() {
        for slot in slots {
            let unanswered = slot.connection.allFlights
            let wasReady = slot.connection.isReady
            slot.stop()
            context.countLost(.closed, wasReady: wasReady)
            for flight in unanswered { settle(flight.ticket, .failure(.unavailable(reason: "the pool is stopped"))) }
        }
        slots = []
        refuseWaiting()
        sweeper = nil
    }
}

// MARK: Deadlines

extension PostgresLane {
    /// Schedules the sweep for a deadline.
    private func arm(_ deadline: Deadline) {
        guard nextSweep.map({ deadline < $0 }) ?? true else { return }
        nextSweep = deadline
        sweeper?.start(at: deadline)
    }

    /// Answers late batches, cancels abandoned ones and closes silent connections.
    private func sweep() {
        guard sweeper != nil else { return }
        let now = Instant.now
        nextSweep = nil
        waiting.forEach { expire($0.ticket, at: now) }
        for slot in slots {
            for flight in slot.connection.allFlights { expire(flight.ticket, at: now) }
            relieve(slot, at: now)
        }
        pump()
    }

    private func expire(_ ticket: Ticket, at now: Instant) {
        guard !ticket.answer.isSettled else { return }
        guard ticket.deadline.hasPassed(at: now) else { return arm(ticket.deadline) }
        settle(ticket, .failure(ticket.timeout))
    }

    /// Checks whether the server's current batch was abandoned, and how long ago.
    ///
    /// A connection whose statement preparation stays unanswered also counts as silent when batches wait behind it.
    private func relieve(_ slot: ConnectionSlot, at now: Instant) {
        if let since = slot.connection.setupSince, slot.connection.flights > 0 {
            let silentAt = since + context.settings.silence
            guard now < silentAt else { return slot.connection.lose(.silent) }
            return arm(Deadline(silentAt))
        }
        guard let head = slot.connection.head, head.flight.ticket.answer.isSettled else { return }
        let silentAt = max(head.flight.ticket.deadline.instant, head.since) + context.settings.silence
        guard now < silentAt else { return slot.connection.lose(.silent) }
        let cancelAt = head.since + context.settings.cancelAfter
        if now >= cancelAt, !slot.isCancelling { cancel(slot) }
        arm(Deadline(slot.isCancelling ? silentAt : cancelAt))
    }

    private func cancel(_ slot: ConnectionSlot) {
        guard let request = slot.connection.cancellation() else { return }
        slot.beginCancelling()
        context.countCancel()
        Task {
            _ = await context.canceller.send(request)
            slot.isCancelling = false
            pump()
        }
    }
}
