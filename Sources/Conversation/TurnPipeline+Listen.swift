import Runtime

/// The second hearing of a model's words: by what they mean.
extension TurnPipeline {
    /// What is kept back for it from the models' time.
    private static let listeningTime = Duration.milliseconds(150)

    private static let modelWords: Set<ReplySource> = [.model, .fallbackModel, .salvaged]

    /// What a model writes, without the sentences that mean what no companion may say.
    ///
    /// Some 15 ms a sentence, of which a reply has two or three. A reply that is given out sentence by sentence is heard by
    /// the rules alone: what was said cannot be taken back. Where a vector cannot be had, what the rules let pass is
    /// said, and `degraded` names the screen.
    func generateHeard(_ opened: OpenedTurn, by deadline: Deadline) async -> Draft {
        let listens =
            parts.output.listening != .off && !opened.recollection.vector.isEmpty && opened.turn.sentences == nil
            && !parts.posture.isOpen
        let draft = await generate(opened, by: listens ? deadline.reserving(Self.listeningTime) : deadline)
        guard listens, Self.modelWords.contains(draft.source) else { return draft }
        if case .failed(let reason) = parts.output.listening { return unheard(draft, of: opened.turn, reason) }
        let began = time.now
        do throws(RecallError) {
            let heard = try await sentences(of: draft, by: Deadline(after: Self.listeningTime, from: began))
            opened.turn.trace.record("listen", from: began, note: "\(heard.kept.count) kept")
            return heard.rules.isEmpty ? draft : left(heard.kept, of: draft, heard.rules, opened)
        } catch {
            opened.turn.trace.record("listen", from: began, .degraded, note: "\(error)")
            return unheard(draft, of: opened.turn, "\(error)")
        }
    }

    /// The sentences of a draft that may be said, and the rules that the others broke.
    private func sentences(
        of draft: Draft,
        by deadline: Deadline
    ) async throws(RecallError) -> (kept: [String], rules: [String]) {
        var kept: [String] = []
        var rules: [String] = []
        for sentence in SentenceSplitter.sentences(of: draft.text) {
            let vector = try await parts.recall.vector(of: sentence, by: deadline)
            switch parts.output.screen(sentence, vector: vector) {
            case .pass, .rewrite: kept.append(sentence)
            case .drop(let rule), .end(let rule), .replace(_, let rule): rules.append(rule)
            }
        }
        return (kept, rules)
    }

    /// A draft with some of its sentences; a line of ours where none is left.
    private func left(_ kept: [String], of draft: Draft, _ rules: [String], _ opened: OpenedTurn) -> Draft {
        var left = draft
        if kept.isEmpty {
            let line = line(opened, after: [])
            (left.text, left.source, left.degraded) = (line.text, line.source, draft.degraded + [.output])
        } else {
            left.text = kept.joined(separator: " ")
        }
        left.flags += rules
        left.signals.insert(.screened)
        return left
    }

    private func unheard(_ draft: Draft, of turn: Turn, _ reason: String) -> Draft {
        var draft = draft
        draft.degraded.append(.screen)
        metrics.screenFailures.add(1, "replies")
        log.warning("stage_degraded", "stage" ~ "listen", "reason" ~ reason, "message_id" ~ turn.id.description)
        return draft
    }
}
