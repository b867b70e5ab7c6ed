/// Comparison section of the HTML report: measures, power, and each flip with both replies side by side.
enum HTMLComparison {
    static func section(_ report: RunReport) -> String {
        guard let comparison = report.comparison else { return "" }
        let rows = comparison.measures.map { change in
            "<tr><td>\(Markup.escaped(change.name))\(change.isAdvisory ? " <small>(told only)</small>" : "")</td><td>\(Figures.percent(change.base))</td><td>\(Figures.percent(change.candidate))</td>"
                + "<td>\(Figures.change(change))</td><td>\(Figures.chance(change.dropChance))</td><td>\(Figures.chance(change.riseChance))</td></tr>"
        }
        let power =
            comparison.smallestVisibleDrop.map { "a drop of \(RunComparison.points($0))" } ?? "no drop of any size"
        let flips = comparison.flips.map { flip($0, report) }
        return
            "<section id=\"base\"><h2>Against the base</h2><div class=\"scroll\"><table><thead><tr><th>measure</th><th>base</th>"
            + "<th>candidate</th><th>difference, 95 %</th><th>p drop</th><th>p rise</th></tr></thead>\(rows.joined())</table></div>"
            + "<p class=\"note\">\(comparison.count) conversations "
            + "show \(power) in four of five cases.</p><h3>Changed: \(comparison.flips.count)</h3>\(flips.joined())</section>"
    }

    private static func flip(_ flip: RunComparison.Flip, _ report: RunReport) -> String {
        let before = report.baseDetails?.samples[flip.fixture].map(HTMLSample.text) ?? "<p>not kept</p>"
        let after = report.details.samples[flip.fixture].map(HTMLSample.text) ?? "<p>never taken</p>"
        return
            "<details class=\"flip\"><summary><b>\(Markup.escaped(flip.fixture))</b> <small>\(flip.severity.rawValue)</small> "
            + "<span class=\"mark \(flip.base.rawValue)\">\(flip.base.rawValue)</span> → "
            + "<span class=\"mark \(flip.candidate.rawValue)\">\(flip.candidate.rawValue)</span></summary>"
            + "<div class=\"sides\"><div><h4>base</h4>\(before)</div><div><h4>candidate</h4>\(after)</div></div></details>"
    }
}
