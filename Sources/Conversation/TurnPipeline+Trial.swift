import Runtime

/// The part of a turn in the trial of a bundle.
extension TurnPipeline {
    /// Returns the bundle that answers a turn; nil when bundles are never replaced.
    ///
    /// Records the bundle and the arm in the trace.
    func choose(_ turn: Turn, _ memory: PatientMemory?) -> BundleChoice? {
        guard let bundles = parts.bundles, let bundle else { return nil }
        let began = time.now
        let choice = bundles.choice(for: turn, memory, begunWith: bundle)
        let arm = choice.place.map { ", " + $0.arm.rawValue } ?? ""
        turn.trace.record("bundle", from: began, note: choice.bundle.version + arm)
        return choice
    }

    /// Reports a turn's outcome to its trial, and lets a candidate answer in shadow; waits for neither.
    ///
    /// A candidate answers only a turn whose model was asked: canned replies and answers from the records have no
    /// prompt.
    func observe(_ reply: Reply, _ draft: Draft, of opened: OpenedTurn) {
        guard let bundles = parts.bundles, let place = opened.choice?.place else { return }
        guard place.arm == .shadow else { return bundles.note(TrialOutcome(place, signals(of: reply, draft, opened))) }
        guard draft.wasAsked else { return }
        let shown = TrialPlace(release: place.release, arm: .control, patient: place.patient)
        bundles.note(TrialOutcome(shown, signals(of: reply, draft, opened)))
        bundles.shadow(
            ShadowedTurn(
                place: place,
                turn: opened.turn,
                input: input(of: opened),
                decision: opened.decision,
                models: parts.models
            )
        )
    }

    /// The fewest words of a model's reply beside a check.
    private static let fewestWordsBesideTail = 10

    /// Makes the input of a turn's prompt.
    ///
    /// - Parameter correction: The rule that an earlier reply broke.
    func input(of opened: OpenedTurn, correcting correction: String? = nil) -> PromptInput {
        let turn = opened.turn
        let tail = opened.decision.tail.map { WordCount.of($0.text) } ?? 0
        return PromptInput(
            text: turn.text,
            date: time.date,
            memory: opened.memory,
            memories: opened.recollection.memories,
            wordCap: max(turn.wordCap - tail, min(turn.wordCap, Self.fewestWordsBesideTail)),
            tone: turn.tone ?? opened.memory?.patient.tone ?? "warm",
            asksVerdict: parts.asksVerdict(ofModel: 0),
            correction: correction,
            isForDemonstration: parts.models.first?.isDemonstration ?? false
        )
    }

    private func signals(of reply: Reply, _ draft: Draft, _ opened: OpenedTurn) -> TrialSignals {
        var signals = draft.signals
        if !reply.degraded.isEmpty { signals.insert(.degraded) }
        if !opened.decision.alerts.isEmpty { signals.insert(.alerted) }
        return signals
    }
}
