/// Suites section of the HTML report: outcomes of each suite as numbers and as a bar.
enum HTMLSuites {
    static func section(_ report: RunReport) -> String {
        let suites = Dictionary(grouping: report.run.tally.entries.values, by: \.suite).sorted { $0.key < $1.key }
        let head = SampleRecord.Outcome.allCases.map { "<th class=\"number\">\($0.rawValue)</th>" }.joined()
        let rows = suites.map { row($0.key, $0.value) }.joined()
        return
            "<section id=\"suites\"><h2>Suites</h2><div class=\"scroll\"><table><thead><tr><th>suite</th>\(head)<th></th></tr></thead>"
            + "\(rows)</table></div></section>"
    }

    private static func row(_ name: String, _ entries: [RunTally.Entry]) -> String {
        let counts = SampleRecord.Outcome.allCases.map { outcome in (outcome, entries.count { $0.outcome == outcome }) }
        let cells = counts.map { "<td class=\"number\">\($0.1)</td>" }.joined()
        let parts = counts.filter { $0.1 > 0 }.map { "<i class=\"\($0.0.rawValue)\" style=\"flex:\($0.1)\"></i>" }
        return
            "<tr><th>\(Markup.escaped(name))</th>\(cells)<td><div class=\"stack\">\(parts.joined())</div></td></tr>"
    }
}
