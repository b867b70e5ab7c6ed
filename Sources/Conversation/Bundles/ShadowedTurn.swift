package import Runtime

/// A turn that has been answered, as a candidate is given it to answer unheard.
package struct ShadowedTurn: Sendable {
    /// Where the candidate's answer counts.
    package let place: TrialPlace
    /// The turn.
    let turn: Turn
    /// What the prompt is composed from.
    let input: PromptInput
    /// What was decided of the turn.
    let decision: Decision
    /// The models that are asked in a turn.
    let models: [any LanguageModel]

    /// What the candidate's first model says to it, through the candidate's screen and up to the cap; nobody hears it.
    ///
    /// - Parameter deadline: When the model's stream must have ended, as it must in a turn.
    /// - Returns: What a trial looks for in it; `degraded` when the candidate had nothing to say.
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
