import Conversation
import Evaluation

/// One sample of a fixture: messages, replies, decisions and the result of each assertion.
struct SampleView: Sendable {
    let sample: SampleRecord

    var html: HTML {
        let turns = sample.turns.enumerated().map { index, turn in
            self.turn(turn, sample.grades.filter { $0.turn == index + 1 })
        }
        return turns.joined
    }

    private func turn(_ turn: SampleRecord.Turn, _ grades: [Grade]) -> HTML {
        let marks = grades.map { grade in
            let tone: Badge.Tone = grade.outcome == .pass ? .good : grade.outcome == .fail ? .danger : .warning
            return """
                <li>\(Badge(grade.outcome.rawValue, tone).html) \(grade.name)\(grade.isAdvisory ? ", advisory" : "") \
                <span class="quiet">\(grade.reason)</span></li>
                """ as HTML
        }
        return """
            <div class="sample"><p><b>Patient:</b> <bdi>\(turn.said)</bdi></p>\
            <p><b>Companion:</b> <bdi>\(turn.reply.isEmpty ? "(no answer)" : turn.reply)</bdi></p>\
            <p class="quiet">\(Self.facts(of: turn).joined(separator: " · "))</p><ul>\(marks)</ul></div>
            """
    }

    /// Source, level, duration, alerts, flags and degraded parts of a turn.
    static func facts(of turn: SampleRecord.Turn) -> [String] {
        var facts = [
            "source \(turn.source?.rawValue ?? "none")", "level \(turn.level.rawValue)",
            "\(Int(turn.milliseconds.rounded())) ms",
        ]
        let alerts = turn.alerts.map { "\($0.level.rawValue) \($0.category.rawValue) by \($0.rule)" }
        if !alerts.isEmpty { facts.append("alerts: \(alerts.joined(separator: ", "))") }
        if !turn.flags.isEmpty { facts.append("flags: \(turn.flags.joined(separator: ", "))") }
        if !turn.degraded.isEmpty { facts.append("without \(turn.degraded.map(\.rawValue).joined(separator: ", "))") }
        return facts
    }
}
