import Runtime

/// The second look at a message, beside the reply.
extension TurnPipeline {
    /// The rule that findings of the second look carry.
    private static let triageRule = "triage.model"

    /// Begins the second look where one is set up; the reply goes on at once.
    ///
    /// What was decided to be critical cannot be raised. A message that waits in the spool is not looked at: its alerts
    /// are not where they could be raised. One that is taken up again is looked at again, which changes nothing twice.
    func triage(_ opened: OpenedTurn) {
        guard let triage = parts.triage, opened.isRecorded, opened.manner == .whole, opened.decision.level < .critical
        else { return }
        let message = triaged(opened)
        if opened.isSpooled { triage.pass(message) } else { triage.look(at: message) }
    }

    private func triaged(_ opened: OpenedTurn) -> TriagedMessage {
        let turn = opened.turn
        return TriagedMessage(
            turn: turn,
            id: opened.message,
            level: opened.decision.level,
            prompt: { () throws(PromptError) in try parts.composer.composeTriage(said: turn.text) },
            alert: { [self] in alert($0, $1, of: opened) },
            settled: { [self] in settle($0, $1, of: opened) }
        )
    }

    /// What the policy makes of the message when the second look's finding stands beside the others, so that what is
    /// confidential stays so.
    private func alert(_ level: Level, _ category: Category, of opened: OpenedTurn) -> Alert? {
        let turn = opened.turn
        let finding = Finding(
            level: level,
            category: category,
            rule: Self.triageRule,
            span: 0..<turn.text.utf8.count,
            confidence: 0.5
        )
        let screening = opened.screening.merged(with: Screening(findings: [finding]))
        return parts.policy.decide(turn, screening, memory: opened.memory, at: time.date).alerts
            .max { $0.level < $1.level }
    }

    /// Counts an alert that was written; has people told of one that the record did not take.
    private func settle(_ alert: Alert, _ effect: TriageEffect?, of opened: OpenedTurn) {
        switch effect {
        case .written: metrics.alerts.add(1, alert.level.rawValue, alert.category.rawValue)
        case .raised, .stood: break
        case nil:
            metrics.unrecordedAlerts.add(1)
            parts.delivery.deliver([alert], of: opened.turn, knowing: opened.memory)
        }
    }
}
