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
        var state = (memory?.state ?? ConversationState()).withoutChecks(askedBefore: date - CheckDialogue.window)
        let earlier = state.checks
        state.risk = RiskMemory.updated(state, screening.findings, at: date)
        state.riskAt = date
        let listener = Listener(
            language: memory?.patient.language ?? SpokenLanguage.guess(turn.text),
            isUnannounced: isUnannounced(screening.findings, state)
        )
        let step = earlier.first.map { weighed($0, screening, turn, to: listener) }
        let offer = offerAnswer(turn, screening, &state, at: date, to: listener)
        let findings =
            raised(screening.findings, by: step, of: earlier.first, state.risk) + (offer?.finding.map { [$0] } ?? [])
        let reply = reply(findings, step, &state, turn, at: date, to: listener) ?? offer?.reply
        let grounds = grounds(screening, after: memory?.state, at: date)
        state.grounds = grounds
        return Decision(
            level: findings.first?.level ?? .none,
            alerts: alerts(findings, after: earlier, turn, memory),
            fixedReply: reply,
            warnsOfScam: screening.isScam,
            state: state,
            languages: [SpokenLanguage.known(listener.language), SpokenLanguage.guess(turn.text)],
            grounds: Self.isDangerous(findings) ? grounds.union([.danger]) : grounds,
            hasStandingAlert: hasStandingAlert(findings, earlier)
        )
    }

    /// The ground of a message, with that of the one before where it goes on from it.
    private func grounds(
        _ screening: Screening,
        after earlier: ConversationState?,
        at date: Date
    ) -> Set<Ground> {
        let own = screening.grounds.subtracting([.continued])
        guard screening.grounds.contains(.continued), let earlier, let before = earlier.riskAt,
            before >= date - CheckDialogue.window
        else { return own }
        return own.union(earlier.grounds)
    }

    /// Whether a danger of body or mind is told of, at a level at which somebody is told; a scam has words of its own.
    private static func isDangerous(_ findings: [Finding]) -> Bool {
        findings.contains { $0.level >= .medium && $0.category != .scam }
    }

    /// What a message is to the offer to tell the family that the last reply made; nil when it made none, or the message
    /// is no answer to it.
    ///
    /// Where somebody close may be the danger, nobody is told.
    private func offerAnswer(
        _ turn: Turn,
        _ screening: Screening,
        _ state: inout ConversationState,
        at date: Date,
        to listener: Listener
    ) -> (finding: Finding?, reply: FixedReply)? {
        let offeredAt = state.offeredAt
        state.offeredAt = nil
        guard let offeredAt, offeredAt >= date - CheckDialogue.window, state.check == nil, screening.level == .none
        else { return nil }
        let answer = AnswerWords(turn.text)
        if answer.opening == false { return (nil, lines.closing(.offerDeclined, to: listener)) }
        guard answer.consents else { return nil }
        guard !listener.isUnannounced else { return (nil, lines.closing(.offerDeclined, to: listener)) }
        let finding = Finding(level: .low, category: .request, rule: "offer.accepted", span: 0..<turn.text.utf8.count)
        return (finding, lines.closing(.offerAccepted, to: listener))
    }

    private static let confidential: Set<Conversation.Category> = [.abuse, .neglect]

    /// Whether the person's carer may be the danger, by this message, an open check or what was said lately.
    private func isUnannounced(_ findings: [Finding], _ state: ConversationState) -> Bool {
        findings.contains { $0.level > .none && Self.confidential.contains($0.category) }
            || state.checks.contains { Self.confidential.contains($0.category) }
            || Self.confidential.contains { state.risk[$0.rawValue] != nil }
    }

    /// What a message is to the open check.
    ///
    /// One that tells of a danger is never a good answer; one that tells of another danger than the check's is an answer
    /// only where both are of the body, so that "my chest hurts" counts for a fall and not for a scam.
    private func weighed(
        _ check: ConversationState.Check,
        _ screening: Screening,
        _ turn: Turn,
        to listener: Listener
    ) -> CheckDialogue.Step {
        let found = screening.findings.filter { $0.level > .none }
        let step = dialogue.step(check, turn.text, to: listener)
        switch step {
        case .raised where found.contains { $0.level >= .medium && $0.category != check.category }:
            guard check.level < .critical else { return .askedAgain(dialogue.staying(to: listener)) }
            return Self.bodily.contains(check.category) ? step : .open
        case .closed where check.category != .scam && !found.isEmpty, .lowered where !found.isEmpty:
            return question(of: check, to: listener).map { .askedAgain($0) } ?? .open
        case .closed where found.contains { $0.level >= .medium }:
            return .open
        default: return step
        }
    }

    private static let bodily: Set<Conversation.Category> = [
        .fall, .cardiac, .breathing, .stroke, .bleeding, .unconscious, .otherMedical, .medication,
    ]

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

    /// Whether people were told before of what was found: a check about it is open, which was asked with an alert.
    private func hasStandingAlert(_ findings: [Finding], _ checks: [ConversationState.Check]) -> Bool {
        findings.contains { finding in
            finding.level >= .medium && checks.contains { $0.category == finding.category && $0.level >= finding.level }
        }
    }

    /// One alert for each category, at its gravest level; a check that is answered without getting worse writes none.
    ///
    /// Where abuse or neglect is among them there is one alert, of that category and of the gravest level, that names all:
    /// a second one, of a fall, would go to the very people who must not be told.
    private func alerts(
        _ findings: [Finding],
        after checks: [ConversationState.Check],
        _ turn: Turn,
        _ memory: PatientMemory?
    ) -> [Alert] {
        let known = Dictionary(checks.map { ($0.category, $0.level) }) { max($0, $1) }
        var seen: Set<Conversation.Category> = []
        let told = findings.filter { finding in
            seen.insert(finding.category).inserted && finding.level > known[finding.category] ?? .none
        }
        guard let gravest = told.first else { return [] }
        let confidential = findings.first { Self.confidential.contains($0.category) }?.category
        func alert(
            _ finding: Finding,
            as category: Conversation.Category,
            of categories: [Conversation.Category]
        ) -> Alert {
            Alert(
                level: finding.level,
                category: category,
                finding: finding,
                summary: AlertSummary.text(
                    categories,
                    finding.level,
                    name: memory?.patient.name,
                    lateBy: turn.lateBy
                ),
                lateBy: turn.lateBy
            )
        }
        if let confidential { return [alert(gravest, as: confidential, of: told.map(\.category))] }
        return told.map { alert($0, as: $0.category, of: [$0.category]) }
    }

    /// The line that is said; nil when the model may speak.
    ///
    /// What it asks is kept as the open check, and a critical matter stays open though its line asks nothing.
    private func reply(
        _ findings: [Finding],
        _ step: CheckDialogue.Step?,
        _ state: inout ConversationState,
        _ turn: Turn,
        at date: Date,
        to listener: Listener
    ) -> FixedReply? {
        if let (finding, line) = line(findings) {
            let isLate = turn.lateBy >= Self.late
            if case .raised(let level) = step, state.check?.category != finding.category { state.check?.level = level }
            let asked = state.ask(finding, at: date, asksIfWell: isLate, isOpen: line.worse != nil)
            if asked.category != finding.category { return dialogue.staying(to: listener) }
            if isLate { return lines.closing(.late, to: listener) }
            return (lines.line(asked.category, asked.level) ?? line).reply(to: listener)
        }
        switch step {
        case .closed(let reply):
            state.closeCheck(at: date)
            return state.check.flatMap { question(of: $0, to: listener) } ?? reply
        case .lowered(let level, let reply):
            state.check = state.check.map { .init(category: $0.category, level: level, askedAt: date) }
            return reply
        case .askedAgain(let reply):
            state.check?.step += 1
            state.check?.askedAt = date
            return reply
        case .open, .raised, nil: return nil
        }
    }

    /// What a check asks, or says while it stays open.
    private func question(of check: ConversationState.Check, to listener: Listener) -> FixedReply? {
        if check.asksIfWell { return lines.closing(.late, to: listener) }
        return check.level == .critical
            ? dialogue.staying(to: listener) : lines.line(check.category, check.level)?.reply(to: listener)
    }

    /// The gravest finding that has a line of its own.
    private func line(_ findings: [Finding]) -> (Finding, SafetyLine)? {
        for finding in findings {
            if let line = lines.line(finding.category, finding.level) { return (finding, line) }
        }
        return nil
    }
}
