import Conversation
import Foundation

/// A sample in the HTML report: messages, replies, decisions and the result of each assertion.
enum HTMLSample {
    static func text(of sample: SampleRecord) -> String {
        let turns = sample.turns.enumerated().map {
            turn($1, sample.grades.filter { [number = $0 + 1] in $0.turn == number })
        }
        let title = sample.title.isEmpty ? "" : "<p>\(Markup.escaped(sample.title))</p>"
        return title + turns.joined()
    }

    private static func turn(_ turn: SampleRecord.Turn, _ grades: [Grade]) -> String {
        let alerts = turn.alerts.map { "\($0.level.rawValue) \($0.category.rawValue) (\($0.rule))" }.joined(
            separator: ", "
        )
        var facts = [
            "source \(turn.source?.rawValue ?? "none")", "level \(turn.level.rawValue)",
            String(format: "%.0f ms", turn.milliseconds),
        ]
        if !alerts.isEmpty { facts.append("alerts \(alerts)") }
        if !turn.flags.isEmpty { facts.append("flags \(turn.flags.joined(separator: ", "))") }
        if !turn.degraded.isEmpty { facts.append("without \(turn.degraded.map(\.rawValue).joined(separator: ", "))") }
        let marks = grades.map { grade in
            "<li class=\"\(grade.outcome.rawValue)\">\(Markup.escaped(grade.name))\(grade.isAdvisory ? " (advisory)" : "") "
                + "\(grade.outcome.rawValue) \(Markup.escaped(grade.reason))</li>"
        }
        return
            "<div class=\"turn\"><p class=\"said\">\(Markup.escaped(turn.said))</p><p class=\"reply\">\(Markup.escaped(turn.reply))</p>"
            + "<p class=\"facts\">\(Markup.escaped(facts.joined(separator: " · ")))</p><ul>\(marks.joined())</ul></div>"
    }
}
