package import Domain
package import Runtime

/// Answers one message; the central path of the service.
///
/// Rules and certain detections decide what must reach a human, and that is stored before a model is asked. A later
/// failure may change what the reply says, but there is always a reply. Each stage decides in one place whether its
/// failure degrades the turn, and reports it in the reply and in the trace.
package struct TurnPipeline: TurnAnswering {
    private let shared: SharedTurnParts
    private var configuration: TurnConfiguration

    var parts: PipelineDependencies { configuration.parts }
    var budgets: StageBudgets { configuration.budgets }
    /// The bundle that this turn holds; nil when bundles are never replaced.
    var bundle: TurnBundle? { configuration.bundle }
    var metrics: TurnMetrics { shared.metrics }
    var log: Log { shared.log }
    var time: any TimeSource { shared.time }
    var callBudgets: SharedCallBudgets { shared.callBudgets }
    /// The spread of a turn's retries, 0 to 1.
    var jitter: @Sendable () -> Double { shared.jitter }
    var notices: ScreenFailureLog { shared.notices }

    /// Makes a pipeline from its parts.
    ///
    /// - Parameters:
    ///   - calls: The budgets of additional calls to models.
    ///   - jitter: Spreads retries; called once for each turn.
    package init(
        _ parts: PipelineDependencies,
        budgets: StageBudgets = StageBudgets(),
        calls: CallBudgets = CallBudgets(),
        admission: TurnAdmission,
        metrics: TurnMetrics,
        log: Log,
        time: any TimeSource = SystemTime(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        configuration = TurnConfiguration(parts, budgets)
        shared = SharedTurnParts(
            configuration,
            calls: calls,
            admission: admission,
            metrics: metrics,
            log: log,
            time: time,
            jitter: jitter
        )
    }

    package func answer(_ turn: Turn, by deadline: Deadline) async throws(TurnError) -> Answer {
        let deadline = deadline.capped(to: budgets.turn, from: time.now)
        return try await shared.inFlight.run(turn) { [self] in
            guard let active = parts.bundles?.active else { return await screenAndAdmit(turn, by: deadline) }
            return await with(active).screenAndAdmit(turn, by: deadline)
        }
    }

    /// Returns the pipeline for a turn that a bundle answers.
    ///
    /// The turn keeps this bundle even if another becomes active.
    func with(_ bundle: TurnBundle) -> TurnPipeline {
        var pipeline = self
        let own = shared.own
        let budgets = bundle.routing.budgets(of: own.budgets)
        pipeline.configuration = TurnConfiguration(own.parts.with(bundle), budgets, bundle)
        return pipeline
    }

    /// Screens the message, so that a danger has priority, and waits for admission.
    private func screenAndAdmit(_ turn: Turn, by deadline: Deadline) async -> TurnCoalescer.Outcome {
        let screening = screen(turn)
        let admissionRequest = AdmissionQueue.AdmissionRequest(
            patient: turn.patient,
            key: turn.key,
            isFlagged: screening.level >= .medium || screening.isScam,
            isAwaited: turn.isAwaited
        )
        let began = time.now
        do {
            return try await shared.admission.pass(admissionRequest, by: deadline) { serviceLevel in
                turn.trace.record("admit", from: began, note: serviceLevel.rawValue)
                return await process(turn, screening, serviceLevel, by: deadline)
            }
        } catch {
            turn.trace.record("admit", from: began, .refused, note: "\(error)")
            return .failure(error)
        }
    }

    private func process(
        _ turn: Turn,
        _ screening: Screening,
        _ serviceLevel: TurnAdmission.ServiceLevel,
        by deadline: Deadline
    ) async -> TurnCoalescer.Outcome {
        switch await shielded({ await open(turn, screening, serviceLevel, by: deadline) }) {
        case .failure(let refusal):
            return .failure(refusal)
        case .success(.replay(let reply, let isOutdated)):
            return .success(Answer(reply, isReplay: true, isOutdated: isOutdated))
        case .success(.opened(let opened)):
            // A trial may answer with another bundle, whose rules have screened the message as well.
            return await (opened.choice.map { with($0.bundle) } ?? self).respond(opened, by: deadline)
        }
    }

    private func respond(_ opened: OpenedTurn, by deadline: Deadline) async -> TurnCoalescer.Outcome {
        triage(opened)
        let limit = shared.commitReserve.limit(of: deadline, reserving: budgets.reserve)
        let words = await draft(opened, by: limit)
        let spoken = time.now
        guard !Task.isCancelled else { return .failure(.cancelled) }
        let (draft, resolved) = await resolve(words, of: opened, by: deadline)
        let (reply, finished) = finish(draft, of: resolved)
        finished.turn.sentences?.sendRest(of: reply)
        let provenance = ReplyProvenance(finished, draft.calls)
        let committed = await shielded { await commit(reply, provenance, of: finished, by: deadline) }
        shared.commitReserve.note(lastWordAt: spoken, by: limit)
        observe(committed, draft, of: finished)
        show(committed, draft, provenance, of: finished)
        return .success(Answer(committed))
    }

    /// Reads memory and recalls at the same time, then decides and makes the decision durable.
    private func open(
        _ turn: Turn,
        _ screening: Screening,
        _ serviceLevel: TurnAdmission.ServiceLevel,
        by deadline: Deadline
    ) async -> Result<Opening, TurnError> {
        async let remembered = remember(turn, by: deadline)
        async let recalled = recall(turn, serviceLevel, by: deadline)
        let (memory, recollection) = await (remembered, recalled)
        do {
            let earlier = earlier(turn, memory)
            if let reply = try storedReply(turn, memory, earlier) {
                return .success(.replay(reply, isOutdated: wentOn(since: reply, to: turn, memory.value)))
            }
            let choice = choose(turn, memory.whole)
            guard let choice, choice.bundle.version != bundle?.version else {
                let opened = decide(turn, memory, recollection, screening, serviceLevel, earlier).answered(by: choice)
                return .success(try await record(opened, by: deadline))
            }
            let other = with(choice.bundle)
            let opened = other.decide(turn, memory, recollection, other.screen(turn), serviceLevel, earlier)
                .answered(by: choice)
            return .success(try await other.record(opened, by: deadline))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the words: a canned reply, an answer from the records, or a model's.
    private func draft(_ opened: OpenedTurn, by deadline: Deadline) async -> Draft {
        let isDanger = opened.decision.canned != nil
        let isWhole = opened.turn.isAwaited && opened.serviceLevel == .whole
        let asksModel = opened.decision.asksModel(in: parts.posture) && isWhole
        if let canned = opened.decision.canned, !asksModel { return Draft(canned) }
        if !isDanger, let heard = await draftOfReminders(opened, by: deadline) { return heard }
        if !isDanger, let answer = answerFromRecords(opened) {
            guard answer.isUnknown, isWhole, parts.posture.isOpen else { return Draft(answer.reply, from: .record) }
            return await generate(opened.lackingRecord(answer.reply), by: deadline)
        }
        guard opened.turn.isAwaited else {
            return Draft(opened.canned("noted", from: parts.replies) ?? opened.fallback(from: parts.replies))
        }
        guard opened.serviceLevel == .whole else { return line(opened, after: []) }
        return await generate(opened, by: deadline)
    }
}
