import Runtime

/// The words that come from the records or from a model.
extension TurnPipeline {
    /// An answer from the records, when the question belongs to them.
    func answerFromRecords(_ opened: OpenedTurn) -> RecordAnswer? {
        RecordAnswers().answer(opened.turn.text, memory: opened.memory, at: time.date)
    }

    /// Lets the models climb for words; a line of ours when none has said anything that may be said.
    func generate(_ opened: OpenedTurn, by deadline: Deadline) async -> Draft {
        guard !parts.models.isEmpty, let prompt = compose(opened) else { return line(opened, after: []) }
        let turn = opened.turn
        let draft = ReplyDraft(cap: ReplyCap(words: turn.wordCap)) { [parts] sentence in
            parts.output.screen(sentence, answering: turn, opened.decision)
        }
        let beginning = SentenceStream.Beginning(message: opened.message, promptVersion: prompt.version)
        let run = LadderRun(models: parts.models, budgets: callBudgets, time: time, jitter: jitter()) {
            [parts, time] call, deadline in
            let say = turn.sentences.map { sentences in
                { @Sendable (sentence: String) in sentences.say(sentence, by: call.id, of: beginning) }
            }
            return ModelAttempt(call, parts.models[call.rung], prompt, draft, by: deadline, time: time, saying: say)
        }
        let (outcome, attempts) = await run.climb(by: deadline)
        for attempt in attempts { account(for: attempt, of: turn) }
        var drafted = drafted(heard(outcome, turn, attempts), opened, attempts)
        drafted.promptVersion = prompt.version
        drafted.prompt = prompt
        return drafted
    }

    /// A line of ours, by what is remembered of the patient or else one for everybody.
    func line(_ opened: OpenedTurn, after attempts: [ModelAttempt]) -> Draft {
        var draft = line(opened)
        draft.degraded = attempts.isEmpty ? [.model] : degradations(attempts)
        return draft
    }

    private func line(_ opened: OpenedTurn) -> Draft {
        guard !opened.decision.tellsOfIllness else {
            let isTold = opened.isRecorded && opened.decision.tellsTheFamily
            return Draft(FallbackLines().unwell(language: opened.language, isTold: isTold), from: .fixed)
        }
        let replies = MemoryReplies(opened.memory, at: time.date)
        if let known = replies.reply(to: opened.turn.text, opened.screening) { return Draft(known, from: .memory) }
        return Draft(opened.fallbackLine, from: .fixed)
    }

    private func compose(_ opened: OpenedTurn) -> Prompt? {
        let began = time.now
        let turn = opened.turn
        do {
            let prompt = try parts.composer.compose(input(of: opened))
            turn.trace.record("compose", from: began, note: prompt.version)
            return prompt
        } catch {
            turn.trace.record("compose", from: began, .degraded, note: "\(error)")
            log.error("prompt_not_composed", "reason" ~ "\(error)")
            return nil
        }
    }

    /// What the models came to; once words of a call have been given out, the reply is that call's.
    private func heard(
        _ outcome: ModelLadder.Outcome,
        _ turn: Turn,
        _ attempts: [ModelAttempt]
    ) -> ModelLadder.Outcome {
        guard let call = turn.sentences?.call else { return outcome }
        return attempts[call].failure == nil ? .words(call: call) : .salvage(call: call)
    }

    private func drafted(_ outcome: ModelLadder.Outcome, _ opened: OpenedTurn, _ attempts: [ModelAttempt]) -> Draft {
        var draft: Draft
        switch outcome {
        case .words(let call):
            draft = Draft(attempts[call].text ?? "", from: source(of: attempts[call]))
            draft.degraded = degradations(attempts)
        case .salvage(let call):
            draft = Draft(attempts[call].text ?? "", from: attempts[call].isReplaced ? .fixed : .salvaged)
            draft.degraded = degradations(attempts)
        case .none: draft = line(opened, after: attempts)
        }
        draft.flags = attempts.flatMap(\.rules)
        draft.usage = attempts.map(\.usage).reduce(TokenUsage(), +)
        draft.wasAsked = !attempts.isEmpty
        draft.calls = attempts.map(\.account)
        draft.signals = attempts.reduce(into: []) { $0.formUnion($1.signals) }
        return draft
    }

    private func source(of attempt: ModelAttempt) -> ReplySource {
        attempt.isReplaced ? .fixed : attempt.call.rung > 0 ? .fallbackModel : .model
    }

    /// What did not work; a call that only came second is nothing of the kind.
    private func degradations(_ attempts: [ModelAttempt]) -> [Degradation] {
        let failed: [Degradation] =
            attempts.contains { $0.isSilent || $0.failure != nil && $0.stopReason?.isHarmless != true } ? [.model] : []
        let screened: [Degradation] =
            attempts.contains { $0.failure == nil && $0.text == nil && !$0.rules.isEmpty } ? [.output] : []
        return failed + screened
    }

    /// Puts a call that is over into the turn's ledger, the metrics and, when it failed, the log.
    private func account(for attempt: ModelAttempt, of turn: Turn) {
        let call = attempt.call
        if let firstAt = attempt.firstAt { turn.trace.record("first_token", from: call.askedAt, to: firstAt) }
        let isCancelled = attempt.stopReason?.isHarmless == true
        let outcome: Trace.Outcome = attempt.failure == nil ? .ok : isCancelled ? .cancelled : .degraded
        let usage = attempt.usage
        turn.trace.record(
            call.role.rawValue,
            from: call.askedAt,
            to: attempt.endedAt,
            outcome,
            note: "\(attempt.model.name): \(attempt.outcome), \(usage.isEstimate ? "about " : "")"
                + "\(usage.promptTokens)+\(usage.completionTokens) tokens"
        )
        metrics.ladder.count(attempt)
        guard let failure = attempt.failure, !isCancelled else { return }
        log.warning(
            "model_failed",
            "model" ~ attempt.model.name,
            "role" ~ call.role.rawValue,
            "reason" ~ (attempt.stopReason.map(\.rawValue) ?? "\(failure)")
        )
    }
}
