package import Runtime

/// Answers one message: the path that everything else in the service serves.
///
/// What must reach a human is decided by rules and durable before a model has said a word; whatever fails after that
/// changes what the reply says, never whether there is one. Each stage decides in one place whether its failure degrades
/// the turn, and says so in the reply and in the trace.
package struct TurnPipeline: TurnAnswering {
    let parts: TurnParts
    let budgets: StageBudgets
    let metrics: TurnMetrics
    let log: Log
    let time: any TimeSource
    let notices: ScreenNotices
    private let inFlight = TurnsInFlight()

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
        self.metrics = metrics
        self.log = log
        self.time = time
        notices = ScreenNotices(log)
    }

    package func answer(_ turn: Turn, by deadline: Deadline) async throws(TurnRefusal) -> Answer {
        let deadline = deadline.capped(to: budgets.turn, from: turn.trace.start)
        return try await inFlight.run(turn) { await process(turn, by: deadline) }
    }

    private func process(_ turn: Turn, by deadline: Deadline) async -> TurnsInFlight.Outcome {
        switch await shielded({ await open(turn, by: deadline) }) {
        case .failure(let refusal):
            return .failure(refusal)
        case .success(.replay(let reply)):
            return .success(Answer(reply, isReplay: true))
        case .success(.opened(let opened)):
            let draft = await draft(opened, by: deadline.reserving(budgets.reserve))
            guard !Task.isCancelled else { return .failure(.cancelled) }
            let reply = finish(draft, of: opened)
            return .success(Answer(await shielded { await commit(reply, of: opened, by: deadline) }))
        }
    }

    /// Remembers, recalls and screens at the same time; then decides, and makes what was decided durable.
    private func open(_ turn: Turn, by deadline: Deadline) async -> Result<Opening, TurnRefusal> {
        async let remembered = remember(turn, by: deadline)
        async let recalled = recall(turn, by: deadline)
        async let screened = screen(turn)
        let (memory, recollection, screening) = await (remembered, recalled, screened)
        do {
            if let earlier = try admit(turn, memory) { return .success(.replay(earlier)) }
            let opened = decide(turn, memory, recollection, screening)
            return .success(try await record(opened, by: deadline))
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
