package import Runtime

/// Answers one message: the path that everything else in the service serves.
///
/// What must reach a human is decided by rules and durable before a model has said a word; whatever fails after that
/// changes what the reply says, never whether there is one. Each stage decides in one place whether its failure degrades
/// the turn, and says so in the reply and in the trace.
package struct TurnPipeline: TurnAnswering {
    private(set) var parts: TurnParts
    private(set) var budgets: StageBudgets
    /// The bundle that this turn holds; nil when the parts are never exchanged.
    private(set) var bundle: TurnBundle?
    let metrics: TurnMetrics
    let log: Log
    let time: any TimeSource
    private let inFlight = TurnsInFlight()
    private let own: (parts: TurnParts, budgets: StageBudgets)

    /// Makes a pipeline from its parts.
    package init(
        _ parts: TurnParts,
        budgets: StageBudgets = StageBudgets(),
        metrics: TurnMetrics,
        log: Log,
        time: any TimeSource = SystemTime()
    ) {
        self.parts = parts
        self.budgets = budgets
        own = (parts, budgets)
        self.metrics = metrics
        self.log = log
        self.time = time
    }

    package func answer(_ turn: Turn, by deadline: Deadline) async throws(TurnRefusal) -> Answer {
        let deadline = deadline.capped(to: budgets.turn, from: turn.trace.start)
        return try await inFlight.run(turn) { [self] in
            guard let active = parts.bundles?.active else { return await process(turn, by: deadline) }
            return await with(active).process(turn, by: deadline)
        }
    }

    /// The pipeline as a turn goes through it that is answered with a bundle: whatever is put in force meanwhile, the turn
    /// keeps what it began with.
    func with(_ bundle: TurnBundle) -> TurnPipeline {
        var pipeline = self
        pipeline.parts = own.parts.with(bundle)
        pipeline.budgets = bundle.routing.budgets(of: own.budgets)
        pipeline.bundle = bundle
        return pipeline
    }

    private func process(_ turn: Turn, by deadline: Deadline) async -> TurnsInFlight.Outcome {
        switch await shielded({ await open(turn, by: deadline) }) {
        case .failure(let refusal):
            return .failure(refusal)
        case .success(.replay(let reply)):
            return .success(Answer(reply, isReplay: true))
        case .success(.opened(let opened)):
            return await (opened.choice.map { with($0.bundle) } ?? self).answer(opened, by: deadline)
        }
    }

    private func answer(_ opened: OpenedTurn, by deadline: Deadline) async -> TurnsInFlight.Outcome {
        let draft = await draft(opened, by: deadline.reserving(budgets.reserve))
        guard !Task.isCancelled else { return .failure(.cancelled) }
        let reply = finish(draft, of: opened)
        let given = await shielded { await commit(reply, of: opened, by: deadline) }
        observe(given, draft, of: opened)
        return .success(Answer(given))
    }

    /// Remembers, recalls and screens at the same time; then decides, and makes what was decided durable.
    private func open(_ turn: Turn, by deadline: Deadline) async -> Result<Opening, TurnRefusal> {
        async let remembered = remember(turn, by: deadline)
        async let recalled = recall(turn, by: deadline)
        async let screened = screen(turn)
        let (memory, recollection, screening) = await (remembered, recalled, screened)
        do {
            if let earlier = try admit(turn, memory) { return .success(.replay(earlier)) }
            let choice = choose(turn, memory.value)
            guard let choice, choice.bundle.version != bundle?.version else {
                let opened = decide(turn, memory, recollection, screening).answered(by: choice)
                return .success(try await record(opened, by: deadline))
            }
            let other = with(choice.bundle)
            let opened = other.decide(turn, memory, recollection, await other.screen(turn)).answered(by: choice)
            return .success(try await other.record(opened, by: deadline))
        } catch {
            return .failure(error)
        }
    }

    /// The words: a fixed line, an answer from the records, or what the model writes.
    private func draft(_ opened: OpenedTurn, by deadline: Deadline) async -> Draft {
        if let line = opened.decision.fixedReply { return Draft(line) }
        if let answer = answerFromRecords(opened) { return Draft(answer) }
        guard opened.turn.isAwaited else { return Draft(FallbackLines().late(language: opened.language), from: .fixed) }
        return await generate(opened, by: deadline)
    }
}
