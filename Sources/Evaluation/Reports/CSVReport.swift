/// Report as a table for spreadsheets, with one row per fixture.
enum CSVReport {
    static func text(of report: RunReport) -> String {
        let head = [
            "id", "suite", "severity", "outcome", "passes", "samples", "milliseconds", "said", "reply", "reason",
        ]
        let rows = report.fixtures.map { entry, sample in
            [
                entry.fixture, entry.suite, entry.severity.rawValue, entry.outcome.rawValue,
                "\(entry.counts[.pass] ?? 0)", "\(entry.expected)", "\(sample?.turns.last?.milliseconds ?? 0)",
                sample?.turns.last?.said ?? "", sample?.turns.last?.reply ?? "",
                entry.outcome == .pass ? "" : entry.reason,
            ]
        }
        return ([head] + rows).map { $0.map(field).joined(separator: ",") + "\r\n" }.joined()
    }

    /// A quoted field.
    ///
    /// A field that a spreadsheet would run as a formula begins with an apostrophe.
    private static func field(_ text: String) -> String {
        let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
        return "\"" + ((isFormula && Double(text) == nil ? "'" : "") + text).replacing("\"", with: "\"\"") + "\""
    }
}
