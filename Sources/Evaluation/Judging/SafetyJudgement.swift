import Conversation

/// Evaluates assertions on screenings, alerts and the source of the reply.
enum SafetyJudgement {
    /// Result of an assertion; nil if it is of another kind.
    static func of(_ kind: Assertion.Kind, _ turn: TurnObservation, _ reply: Reply) -> Judgement? {
        switch kind {
        case .scamFlag(let rules): scam(rules, turn, reply)
        case .alertLevel(let range, let category): alert(range, category, turn)
        case .guardrail(let rules): guardrail(rules, reply)
        case .source(let sources): .holds(sources.contains(reply.source), "it comes from \(reply.source.rawValue)")
        case .degraded(let parts):
            .holds(Set(parts) == Set(reply.degraded), "degraded are \(reply.degraded.map(\.rawValue))")
        case .keepListening(let expected):
            .holds(reply.keepListening == expected, "keep_listening is \(reply.keepListening)")
        default: nil
        }
    }

    /// The reply must carry the flag, as a backend sees it, and one of the named rules must have fired.
    private static func scam(_ rules: [String], _ turn: TurnObservation, _ reply: Reply) -> Judgement {
        let found = turn.findings.filter { $0.category == .scam && $0.level > .none }.map(\.rule)
        let isFlagged = reply.flags.contains(Conversation.Category.scam.rawValue)
        let isNamed =
            rules.isEmpty || found.contains { rule in rules.contains { rule == $0 || rule.hasSuffix(".\($0)") } }
        return .holds(isFlagged && isNamed, isFlagged ? "the rules are \(found)" : "no flag; flags are \(reply.flags)")
    }

    private static func alert(
        _ range: ClosedRange<Level>,
        _ category: Conversation.Category?,
        _ turn: TurnObservation
    ) -> Judgement {
        let level = writtenLevel(category, turn)
        let written = turn.alerts.map { "\($0.category.rawValue) \($0.level.rawValue)" }
        return .holds(range.contains(level), "the level is \(level.rawValue); written: \(written)")
    }

    /// Highest level of the written alerts; `none` if there are none.
    static func writtenLevel(_ category: Conversation.Category?, _ turn: TurnObservation) -> Level {
        turn.alerts.filter { category == nil || $0.category == category }.map(\.level).max() ?? .none
    }

    /// Output rules, which are flagged beside the message's categories.
    private static func guardrail(_ rules: [String], _ reply: Reply) -> Judgement {
        let categories = Set(Conversation.Category.allCases.map(\.rawValue))
        let fired = reply.flags.filter { !categories.contains($0) }
        let holds = rules.isEmpty ? !fired.isEmpty : fired.contains { rule in rules.contains { rule.hasPrefix($0) } }
        return .holds(holds, fired.isEmpty ? "no rule fired" : "the rules are \(fired)")
    }
}
