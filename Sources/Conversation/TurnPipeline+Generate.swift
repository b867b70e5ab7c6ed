import Runtime

/// The words that come from the records or from a model.
extension TurnPipeline {
    /// With less time than this left, a model is not asked.
    private static let leastModelTime = Duration.milliseconds(200)
    /// How much of what is left one model may spend while another could still be asked.
    private static let shareBeforeFallback = 0.6

    /// An answer from the records, when the question belongs to them.
    func answerFromRecords(_ opened: OpenedTurn) -> RecordAnswer? {
        RecordAnswers().answer(opened.turn.text, memory: opened.memory, at: time.date)
    }

    /// Asks the models in order until one has said something that may be said; a line of ours otherwise.
    func generate(_ opened: OpenedTurn, by deadline: Deadline) async -> Draft {
        var attempts: [Attempt] = []
        let prompt = compose(opened)
        if let prompt {
            for (index, model) in parts.models.enumerated() {
                let left = deadline.remaining(at: time.now)
                guard left >= Self.leastModelTime, !Task.isCancelled else { break }
                let isLast = index == parts.models.count - 1
                let limit = isLast ? deadline : deadline.capped(to: left * Self.shareBeforeFallback, from: time.now)
                let attempt = await ask(model, prompt, opened, by: limit)
                if let text = attempt.text {
                    var draft = draft(text, attempt, isFallback: index > 0, after: attempts)
                    draft.promptVersion = prompt.version
                    return draft
                }
                attempts.append(attempt)
            }
        }
        return fallback(opened, after: attempts)
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

    /// What one model brought: words that may be said, or the reason why there are none.
    private struct Attempt {
        var text: String?
        var rules: [String]
        var usage: TokenUsage
        var failure: ModelError?
        /// Whether the model said more words than a reply has.
        var isOverCap = false

        /// What a trial looks for in it.
        var signals: TrialSignals {
            var signals: TrialSignals = []
            if case .timedOut = failure { signals.insert(.missedDeadline) }
            if isOverCap { signals.insert(.overCap) }
            if !rules.isEmpty { signals.insert(.screened) }
            return signals
        }
    }

    private func ask(
        _ model: any LanguageModel,
        _ prompt: Prompt,
        _ opened: OpenedTurn,
        by deadline: Deadline
    ) async -> Attempt {
        let began = time.now
        let turn = opened.turn
        var draft = ReplyDraft(cap: ReplyCap(words: turn.wordCap)) { [parts] sentence in
            parts.output.screen(sentence, answering: turn, opened.decision)
        }
        var usage = TokenUsage()
        do throws(ModelError) {
            let generation = try await model.generate(prompt, by: deadline)
            defer { generation.stop() }
            do throws(ModelError) {
                try await read(generation, into: &draft, turn, from: began)
                usage = generation.usage
            } catch {
                usage = generation.usage
                throw error
            }
            turn.trace.record("generate", from: began, note: model.name)
            return Attempt(text: draft.text, rules: draft.rules, usage: usage, isOverCap: draft.isOverCap)
        } catch {
            draft.salvage()
            let outcome: Trace.Outcome = error == .cancelled ? .cancelled : .degraded
            turn.trace.record("generate", from: began, outcome, note: "\(model.name): \(error)")
            log.warning("model_failed", "model" ~ model.name, "reason" ~ "\(error)")
            return Attempt(
                text: draft.text,
                rules: draft.rules,
                usage: usage,
                failure: error,
                isOverCap: draft.isOverCap
            )
        }
    }

    /// Reads until the reply is complete; what the model would say beyond it is never waited for.
    private func read(
        _ generation: any Generation,
        into draft: inout ReplyDraft,
        _ turn: Turn,
        from began: Instant
    ) async throws(ModelError) {
        var isFirst = true
        while let piece = try await generation.next() {
            if isFirst { turn.trace.record("first_token", from: began) }
            isFirst = false
            if draft.append(piece) == .complete { return }
        }
        draft.finish()
    }

    private func draft(_ text: String, _ attempt: Attempt, isFallback: Bool, after earlier: [Attempt]) -> Draft {
        let source: ReplySource = attempt.failure != nil ? .salvaged : isFallback ? .fallbackModel : .model
        var draft = Draft(text, from: source)
        draft.usage = attempt.usage
        draft.degraded = degradations(earlier + [attempt])
        draft.flags = (earlier + [attempt]).flatMap(\.rules)
        draft.wasAsked = true
        draft.signals = signals(of: earlier + [attempt])
        return draft
    }

    private func fallback(_ opened: OpenedTurn, after attempts: [Attempt]) -> Draft {
        let isQuestion = opened.turn.text.contains { "?¿".contains($0) }
        var draft = Draft(FallbackLines().line(language: opened.language, isQuestion: isQuestion), from: .fixed)
        draft.usage = attempts.last?.usage ?? TokenUsage()
        draft.degraded = attempts.isEmpty ? [.model] : degradations(attempts)
        draft.flags = attempts.flatMap(\.rules)
        draft.wasAsked = !attempts.isEmpty
        draft.signals = signals(of: attempts)
        return draft
    }

    private func signals(of attempts: [Attempt]) -> TrialSignals {
        attempts.reduce(into: []) { $0.formUnion($1.signals) }
    }

    private func degradations(_ attempts: [Attempt]) -> [Degradation] {
        let failed: [Degradation] = attempts.contains { $0.failure != nil } ? [.model] : []
        let screened: [Degradation] = attempts.contains { $0.text == nil && !$0.rules.isEmpty } ? [.output] : []
        return failed + screened
    }
}
