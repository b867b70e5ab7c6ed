/// Report as a summary for a merge request.
enum MarkdownReport {
    private static let shown = 50

    static func text(of report: RunReport) -> String {
        var lines = ["## Evaluation: \(report.verdict)", ""]
        lines += report.reasons.map { "- \(cell($0))" }
        lines += [
            "", "| pass | fail | error | unmeasured | skipped | passed |", "| --- | --- | --- | --- | --- | --- |",
        ]
        let counts = SampleRecord.Outcome.allCases.map { "\(report.count($0))" }.joined(separator: " | ")
        lines.append("| \(counts) | \(Figures.rate(report.run.tally.passes)) |")
        if let comparison = report.comparison { lines += Self.comparison(comparison) }
        let worst = report.fixtures.filter { $0.entry.outcome != .pass && $0.entry.outcome != .skipped }
        if !worst.isEmpty {
            lines += ["", "| fixture | severity | outcome | why |", "| --- | --- | --- | --- |"]
            lines += worst.prefix(shown).map { entry, _ in
                "| \(cell(entry.fixture)) | \(entry.severity.rawValue) | \(entry.outcome.rawValue) | \(cell(entry.reason)) |"
            }
            if worst.count > shown { lines.append("\n… and \(worst.count - shown) more") }
        }
        let header = report.run.header
        lines += [
            "",
            "Run `\(header.run)`, mode `\(header.mode.rawValue)`, model `\(header.model.isEmpty ? "-" : header.model)`.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func comparison(_ comparison: RunComparison) -> [String] {
        var lines = [
            "", "| measure | base | candidate | difference [95 %] | p (drop) |", "| --- | --- | --- | --- | --- |",
        ]
        lines += comparison.measures.map {
            "| \(cell($0.name)) | \(Figures.percent($0.base)) | \(Figures.percent($0.candidate)) | \(Figures.change($0))"
                + " | \(Figures.chance($0.dropChance)) |"
        }
        if !comparison.flips.isEmpty {
            lines += ["", "| changed | severity | before | now |", "| --- | --- | --- | --- |"]
            lines += comparison.flips.prefix(shown).map {
                "| \(cell($0.fixture)) | \($0.severity.rawValue) | \($0.base.rawValue) | \($0.candidate.rawValue) |"
            }
        }
        return lines
    }

    private static func cell(_ text: String) -> String {
        Markup.escaped(text.replacing("|", with: "\\|").replacing("\n", with: " "))
    }
}
