package import Conversation
package import Foundation

/// Decides from what was found who must know, what is said instead of a model's words, and what is asked next.
///
/// Deterministic and free of input and output. The level is the gravest of the findings, of what an open check was answered
/// with, and of what has gathered over earlier turns; nothing that a person says afterwards lowers an alert.
package struct SafetyDecisionPolicy: DecisionPolicy {
    private let lines: SafetyLines
    private let dialogue: CheckDialogue

    /// How late a message must be for its danger to be spoken of as past.
    package static let late: TimeInterval = 30 * 60

    /// Makes the policy.
    package init(_ lines: SafetyLines) {
        self.lines = lines
        dialogue = CheckDialogue(lines: lines)
    }

    package func decide(_ turn: Turn, _ screening: Screening, memory: PatientMemory?, at date: Date) -> Decision {
        let earlier = memory?.state ?? ConversationState()
        let language = memory?.patient.language ?? "en-US"
        let risk = RiskMemory.updated(earlier, screening.findings, at: date)
        let step =
            speaksOfAnother(screening, than: earlier.check)
            ? .open : dialogue.step(earlier.check, turn.text, at: date, in: language)
        let findings = raised(screening.findings, by: step, of: earlier.check, risk)
        var state = earlier
        state.risk = risk
        state.riskAt = date
        let reply = reply(findings, step, &state, turn, at: date, in: language)
        return Decision(
            level: findings.first?.level ?? .none,
            alerts: alerts(findings, after: earlier.check, turn, memory),
            fixedReply: reply,
            warnsOfScam: screening.isScam,
            state: state
        )
    }

    /// Whether a message tells of a danger of its own rather than answering the check; the check then stays open.
    private func speaksOfAnother(_ screening: Screening, than check: ConversationState.Check?) -> Bool {
        guard let check else { return false }
        return screening.findings.contains { $0.level >= .medium && $0.category != check.category }
    }

    /// The findings that count, gravest first: with what the check's answer and the gathered risk make of them.
    private func raised(
        _ findings: [Finding],
        by step: CheckDialogue.Step?,
        of check: ConversationState.Check?,
        _ risk: [String: Double]
    ) -> [Finding] {
        var findings = findings.filter { $0.level > .none }.map { finding in
            guard finding.level == .low, RiskMemory.isHigh(risk, finding.category) else { return finding }
            var raised = finding
            raised.level = .medium
            raised.rule += "+repeated"
            return raised
        }
        if case .raised(let level) = step, let check {
            findings.append(
                Finding(level: level, category: check.category, rule: "check.\(check.category.rawValue)", span: 0..<0)
            )
        }
        return findings.sorted { $0.level > $1.level }
    }

    /// One alert for each category, at its gravest level.
    ///
    /// A check that is answered without getting worse writes no second one.
    private func alerts(
        _ findings: [Finding],
        after check: ConversationState.Check?,
        _ turn: Turn,
        _ memory: PatientMemory?
    ) -> [Alert] {
        var seen: Set<Conversation.Category> = []
        return findings.compactMap { finding in
            guard seen.insert(finding.category).inserted else { return nil }
            let isKnown = check?.category == finding.category && finding.level <= check?.level ?? .none
            guard !isKnown else { return nil }
            return Alert(
                level: finding.level,
                category: finding.category,
                finding: finding,
                summary: AlertSummary.text(
                    finding.category,
                    finding.level,
                    name: memory?.patient.name,
                    lateBy: turn.lateBy
                ),
                lateBy: turn.lateBy
            )
        }
    }

    /// The line that is said; nil when the model may speak.
    ///
    /// What it asks is kept as the open check.
    private func reply(
        _ findings: [Finding],
        _ step: CheckDialogue.Step?,
        _ state: inout ConversationState,
        _ turn: Turn,
        at date: Date,
        in language: String
    ) -> FixedReply? {
        if let spoken = line(findings) {
            let (finding, line) = spoken
            let asks = line.worse != nil
            state.check = asks ? .init(category: finding.category, level: finding.level, askedAt: date) : nil
            guard turn.lateBy < Self.late else { return lines.closing(.late, in: language) }
            return line.reply(in: language)
        }
        switch step {
        case .closed(let reply):
            state.check = nil
            return reply
        case .askedAgain(let reply):
            state.check?.step += 1
            return reply
        case .open, .raised: return nil
        case nil:
            state.check = nil
            return nil
        }
    }

    /// The gravest finding that has a line of its own.
    private func line(_ findings: [Finding]) -> (Finding, SafetyLine)? {
        for finding in findings {
            if let line = lines.line(finding.category, finding.level) { return (finding, line) }
        }
        return nil
    }
}
