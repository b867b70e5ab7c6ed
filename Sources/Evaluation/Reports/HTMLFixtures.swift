/// Fixtures section of the HTML report: each fixture with its most informative sample, worst first, with filters.
enum HTMLFixtures {
    /// - Parameter showsWrong: Whether the page initially hides passed fixtures.
    static func section(_ report: RunReport, showsWrong: Bool) -> String {
        let suites = options(Set(report.run.tally.entries.values.map(\.suite)).sorted())
        let outcomes = options(SampleRecord.Outcome.allCases.map(\.rawValue))
        let severities = options(Fixture.Severity.allCases.map(\.rawValue))
        return """
            <section id="cases"><h2>Fixtures</h2><form id="filters"><input id="search" type="search" placeholder="search" aria-label="search">
            <select id="suite" aria-label="suite"><option value="">every suite</option>\(suites)</select>
            <select id="outcome" aria-label="outcome"><option value="">every outcome</option>\
            <option value="wrong"\(showsWrong ? " selected" : "")>wrong or not judged</option>\(outcomes)</select>
            <select id="severity" aria-label="severity"><option value="">every severity</option>\(severities)</select>
            <output id="shown" aria-live="polite"></output></form>
            <div id="fixtures">\(report.fixtures.map(fixture).joined(separator: "\n"))</div></section>
            """
    }

    private static func options(_ names: [String]) -> String {
        names.map { "<option>\(Markup.escaped($0))</option>" }.joined()
    }

    private static func fixture(_ entry: RunTally.Entry, _ sample: SampleRecord?) -> String {
        let reason = entry.outcome == .pass ? "" : "<span class=\"reason\">\(Markup.escaped(entry.reason))</span>"
        return
            "<details class=\"fixture\" data-suite=\"\(Markup.escaped(entry.suite))\" data-outcome=\"\(entry.outcome.rawValue)\""
            + " data-severity=\"\(entry.severity.rawValue)\"><summary><span class=\"mark \(entry.outcome.rawValue)\">"
            + "\(entry.outcome.rawValue)</span> <b>\(Markup.escaped(entry.fixture))</b> "
            + "<small>\(entry.severity.rawValue) · \(entry.counts[.pass] ?? 0) of \(entry.expected) passed</small> \(reason)</summary>"
            + (sample.map(HTMLSample.text) ?? "<p>never taken</p>") + "</details>"
    }
}
