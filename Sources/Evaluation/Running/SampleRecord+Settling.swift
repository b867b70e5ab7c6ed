import Conversation
import Runtime

extension SampleRecord {
    init(of fixture: Fixture, attempt: Int) {
        self.init(
            fixture: fixture.id,
            suite: fixture.suite,
            title: fixture.title,
            severity: fixture.severity,
            cluster: fixture.cluster,
            metadata: fixture.metadata,
            digest: fixture.digest,
            attempt: attempt,
            outcome: .unmeasured,
            score: 0,
            reason: "",
            timing: .simulated,
            turns: [],
            grades: []
        )
    }

    mutating func add(_ turn: TurnObservation) {
        var stages: [String: Double] = [:]
        for span in turn.spans { stages[span.stage, default: 0] += span.duration.milliseconds }
        turns.append(
            Turn(
                said: turn.said,
                reply: turn.reply?.text ?? "",
                source: turn.reply?.source,
                level: turn.reply?.level ?? .none,
                alerts: turn.alerts.map {
                    WrittenAlert(level: $0.level, category: $0.category, rule: $0.finding?.rule ?? "")
                },
                rules: turn.findings.filter { $0.level > .none }.map(\.rule),
                flags: turn.reply?.flags ?? [],
                degraded: turn.reply?.degraded ?? [],
                milliseconds: turn.elapsed.milliseconds,
                stages: stages,
                tokens: turn.reply?.usage ?? TokenUsage(),
                askedModel: !turn.prompts.isEmpty
            )
        )
    }

    /// Decides the outcome from the grades that count.
    ///
    /// A failed assertion makes the sample fail; otherwise an unmeasured one makes it unmeasured. With a threshold the
    /// weighted score decides instead; unmeasured assertions never count as passed.
    mutating func settle(threshold: Double?) {
        let counting = grades.filter { !$0.isAdvisory && $0.weight > 0 }
        let weight = counting.reduce(0) { $0 + $1.weight }
        guard weight > 0 else {
            outcome = .unmeasured
            reason = "no assertion that counts was graded"
            return
        }
        score = counting.reduce(0) { $0 + $1.score * $1.weight } / weight
        let failed = counting.filter { $0.outcome == .fail }
        let unmeasured = counting.filter { $0.outcome == .unmeasured }
        if let threshold {
            outcome = !unmeasured.isEmpty ? .unmeasured : score >= threshold - 1e-9 ? .pass : .fail
        } else {
            outcome = !failed.isEmpty ? .fail : unmeasured.isEmpty ? .pass : .unmeasured
        }
        guard outcome != .pass else { return }
        let told = (failed.isEmpty ? unmeasured : failed).map { "turn \($0.turn) \($0.name): \($0.reason)" }
        reason = told.joined(separator: "; ")
    }
}
