package import Runtime

/// An answered turn, as it is given to a candidate to answer in shadow.
package struct ShadowedTurn: Sendable {
    /// The place of the candidate's answer in the trial.
    package let place: TrialPlace
    /// The turn.
    let turn: Turn
    /// The input of the prompt.
    let input: PromptInput
    /// The decision about the turn.
    let decision: Decision
    /// The models that the turn asks.
    let models: [any LanguageModel]

    /// Asks the candidate's first model for its answer, through the candidate's screen and up to the cap.
    ///
    /// Nobody hears the answer.
    ///
    /// - Parameter deadline: The instant by which the model's stream must have ended, as in a turn.
    /// - Returns: The signals that the trial looks for; `degraded` when the candidate had no answer.
    package func signals(of candidate: TurnBundle, by deadline: Deadline) async -> TrialSignals {
        guard let model = models.first, let prompt = try? candidate.composer.compose(input) else { return .degraded }
        let posture = candidate.trust.posture(of: model.name, isDemonstration: model.isDemonstration)
        var draft = ReplyDraft(
            cap: ReplyCap(words: turn.wordCap),
            expectsVerdict: input.asksVerdict,
            protects: { candidate.output.protection(of: $0) > .none }
        ) { [turn, decision] sentence in
            candidate.output.screen(sentence, answering: turn, decision, in: posture)
        }
        var signals: TrialSignals = []
        do throws(ModelError) {
            let generation = try await model.generate(prompt, by: deadline)
            defer { generation.stop() }
            var isComplete = false
            while !isComplete, let piece = try await generation.next() { isComplete = draft.append(piece) == .complete }
            if !isComplete { draft.finish() }
        } catch {
            signals.insert(.degraded)
            if case .timedOut = error { signals.insert(.missedDeadline) }
        }
        if draft.text == nil { signals.insert(.degraded) }
        if draft.isOverCap { signals.insert(.overCap) }
        if !draft.rules.isEmpty { signals.insert(.screened) }
        return signals
    }
}
