import Runtime

/// What is done with a turn's writes when the system of record does not take them.
extension TurnPipeline {
    /// Kept back from the system of record's share of the time, for the spool.
    private static let spoolTime = Duration.milliseconds(60)
    /// What a write gets even when the turn's time is over: a caller in a hurry does not cost an alert.
    private static let leastWriteTime = Duration.milliseconds(50)

    /// Kept back from the spool's own share of a reply's time, for sending the answer.
    private static let sendingTime = Duration.milliseconds(10)

    /// By when the system of record must have taken a write.
    func writeLimit(_ deadline: Deadline, from now: Instant) -> Deadline {
        let limit = deadline.reserving(Self.spoolTime).capped(to: budgets.record, from: now)
        return max(limit, Deadline(after: Self.leastWriteTime, from: now))
    }

    /// Keeps a message and its alerts in the spool, and has people told from there.
    ///
    /// They are told even when the spool fails too: then nothing but a person's attention is left.
    func keep(_ recorded: RecordedTurn, of opened: OpenedTurn) async -> OpenedTurn {
        let alerts = opened.decision.alerts
        let isKept = await keep(.recorded(recorded), of: opened)
        (isKept ? metrics.spooledAlerts : metrics.unrecordedAlerts).add(alerts.count)
        if !alerts.isEmpty { parts.delivery.deliver(alerts, of: opened.turn, knowing: opened.memory) }
        return isKept ? opened.spooled : opened.without(.spool)
    }

    /// Keeps a reply in the spool; whether that went well, nil when the turn's time is over before that is known.
    ///
    /// On a disk that stalls, an answer is not late for the sake of its own record: what was said to the service, and its
    /// alerts, are durable already. The writing goes on beyond the turn, as long as the spool may take.
    func keepReply(_ committed: CommittedTurn, of opened: OpenedTurn, by deadline: Deadline) async -> Bool? {
        let known = OneShot<Bool?>()
        let limit = max(deadline.reserving(Self.sendingTime), Deadline(after: Self.leastWriteTime, from: time.now))
        Task(executorPreference: EventLoop.current) { known.settle(await keep(.committed(committed), of: opened)) }
        let patience = Task(executorPreference: EventLoop.current) { [time] in
            if (try? await time.sleep(until: limit.instant)) != nil { known.settle(nil) }
        }
        defer { patience.cancel() }
        return await known.value(ifCancelled: nil)
    }

    /// Keeps a write in the spool; whether that went well.
    func keep(_ write: SpooledWrite, of opened: OpenedTurn) async -> Bool {
        let began = time.now
        let turn = opened.turn
        do {
            try await parts.spool.keep(write, by: Deadline(after: budgets.record, from: began))
            turn.trace.record("spool", from: began)
            return true
        } catch {
            turn.trace.record("spool", from: began, .failed, note: "\(error)")
            log.error("not_spooled", "reason" ~ "\(error)", "message_id" ~ opened.message.description)
            return false
        }
    }
}
