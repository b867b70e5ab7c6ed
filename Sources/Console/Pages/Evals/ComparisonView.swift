import Domain
import Evaluation

/// Comparison of a run with its base: measures, power, and each flip with both replies side by side.
struct ComparisonView: Sendable {
    let report: RunReport

    var html: HTML {
        guard let comparison = report.comparison else { return "" }
        var table = Table(
            "Measures of the base and of the run",
            columns: ["Measure", "Base", "Run", "Difference, 95 %", "P-value of the drop"]
        )
        for change in comparison.measures {
            table.add(
                "\(change.name)\(change.isAdvisory ? " (reported only)" as HTML : "")",
                "\(Figures.percent(change.base))",
                "\(Figures.percent(change.candidate))",
                "\(Figures.change(change))",
                "\(Figures.chance(change.dropChance))"
            )
        }
        let power =
            comparison.smallestVisibleDrop.map { "a drop of \(RunComparison.points($0))" } ?? "no drop of any size"
        let flips = comparison.flips.map(flip)
        return """
            <h2>Comparison with the base</h2>\(table.html(ifEmpty: "No fixture was judged in both runs."))
            <p>\(comparison.count) conversations detect \(power) with 80 % power.</p>
            <h2>Flips <span class="count">\(comparison.flips.count)</span></h2>
            \(flips.isEmpty ? "<p class=\"quiet\">No outcome changed.</p>" : flips.joined)
            """
    }

    private func flip(_ flip: RunComparison.Flip) -> HTML {
        let old = report.baseDetails?.samples[flip.fixture]
        let new = report.details.samples[flip.fixture]
        return """
            <details class="fixture"><summary><b>\(flip.fixture)</b> <span class="quiet">\(flip.severity.rawValue)</span> \
            \(RunListView.outcome(flip.base)) → \(RunListView.outcome(flip.candidate))</summary>\
            <div class="panels"><section class="panel"><h3>Base</h3>\(side(old))</section>\
            <section class="panel"><h3>Run</h3>\(side(new))</section></div></details>
            """
    }

    private func side(_ sample: SampleRecord?) -> HTML {
        sample.map { SampleView(sample: $0).html } ?? "<p>not run</p>"
    }
}

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
                <li>\(Badge(grade.outcome.rawValue, tone).html) \(grade.name)\(grade.isAdvisory ? ", advisory" as HTML : "") \
                <span class="quiet">\(grade.reason)</span></li>
                """ as HTML
        }
        return """
            <div class="sample"><p><b>Patient:</b> <bdi>\(turn.said)</bdi></p>\
            <p><b>Companion:</b> <bdi>\(turn.reply.isEmpty ? Wording.say("(no answer)") : turn.reply)</bdi></p>\
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
        if !turn.degraded.isEmpty { facts.append("degraded: \(turn.degraded.map(\.rawValue).joined(separator: ", "))") }
        return facts
    }
}
