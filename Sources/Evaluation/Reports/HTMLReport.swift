import Conversation
import Foundation

/// A run as one page that needs nothing else: verdict, what flipped, alerts, rules, stages, and every fixture with filters.
enum HTMLReport {
    static func text(of report: RunReport) -> String {
        let header = report.run.header
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <link rel="icon" href="data:,"><title>Evaluation \(Markup.escaped(header.run))</title>
            <style>\(HTMLStyle.sheet)</style></head><body>
            <header class="\(report.verdict)"><h1>\(Markup.escaped(report.verdict))</h1>
            <p>\(report.reasons.map(Markup.escaped).joined(separator: "<br>"))</p>
            <p class="facts">run \(Markup.escaped(header.run)) · mode \(header.mode.rawValue) · model \
            \(Markup.escaped(header.model.isEmpty ? "-" : header.model)) · seed \(header.seed) · \(report.run.tally.samples) samples \
            · \(String(format: "%.2f", report.run.end?.seconds ?? 0)) s</p></header>
            <main>\(counts(report))\(HTMLComparison.section(report))\(alerts(report.details))\(rules(report.details))\
            \(HTMLHistogram.section(report.details))\(fixtures(report))\(components(header))</main>
            <script>\(HTMLStyle.script)</script></body></html>

            """
    }

    private static func counts(_ report: RunReport) -> String {
        let tiles = SampleRecord.Outcome.allCases.map {
            "<div class=\"tile \($0.rawValue)\"><b>\(report.count($0))</b>\($0.rawValue)</div>"
        }
        let rate = Figures.rate(report.run.tally.passes)
        let latencies = LatencySummary(report.run.tally.latencies)
        let live =
            report.run.header.mode.isLive
            ? "<p>" + [0.5, 0.95, 0.99].map { Figures.percentile($0, of: latencies) }.joined(separator: " · ") + "</p>"
            : ""
        return
            "<section><div class=\"tiles\">\(tiles.joined())<div class=\"tile\"><b>\(rate)</b>passed, 95 % interval</div></div>\(live)</section>"
    }

    private static func alerts(_ details: RunDetails) -> String {
        guard !details.alerts.isEmpty else { return "" }
        let head = Level.allCases.map { "<th>\($0.rawValue)</th>" }.joined()
        let rows = Level.allCases.map { expected in
            let cells = Level.allCases.map { written in
                let count = details.alerts[expected]?[written] ?? 0
                let kind = count == 0 ? "zero" : written < expected ? "fail" : written == expected ? "pass" : "above"
                return "<td class=\"\(kind)\">\(count)</td>"
            }
            return "<tr><th>\(expected.rawValue)</th>\(cells.joined())</tr>"
        }
        return
            "<section><h2>Alerts</h2><p>Rows: the least level that was expected. Columns: the level that was written.</p>"
            + "<table class=\"matrix\"><tr><th></th>\(head)</tr>\(rows.joined())</table></section>"
    }

    private static func rules(_ details: RunDetails) -> String {
        guard !details.rules.isEmpty else { return "" }
        let rows = details.rules.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { rule, held in
            "<tr><td>\(Markup.escaped(rule))</td><td>\(held.count)</td><td>\(held.successes)</td><td>\(Figures.rate(held))</td></tr>"
        }
        return
            "<section><details><summary><h2>Rules (\(details.rules.count))</h2></summary><p>Turns in which a rule fired, "
            + "and in how many of them everything asserted of alerts and flags held.</p><table><tr><th>rule</th><th>fired</th>"
            + "<th>held</th><th>rate, 95 % interval</th></tr>\(rows.joined())</table></details></section>"
    }

    private static func fixtures(_ report: RunReport) -> String {
        let suites = Set(report.run.tally.entries.values.map(\.suite)).sorted()
            .map { "<option>\(Markup.escaped($0))</option>" }.joined()
        let outcomes = SampleRecord.Outcome.allCases.map { "<option>\($0.rawValue)</option>" }.joined()
        let severities = Fixture.Severity.allCases.map { "<option>\($0.rawValue)</option>" }.joined()
        return """
            <section><h2>Fixtures</h2><form id="filters"><input id="search" type="search" placeholder="search" aria-label="search">
            <select id="suite" aria-label="suite"><option value="">every suite</option>\(suites)</select>
            <select id="outcome" aria-label="outcome"><option value="">every outcome</option>\(outcomes)</select>
            <select id="severity" aria-label="severity"><option value="">every severity</option>\(severities)</select>
            <output id="shown"></output></form>
            <div id="fixtures">\(report.fixtures.map(fixture).joined())</div></section>
            """
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

    private static func components(_ header: RunHeader) -> String {
        let rows = header.components.sorted { $0.key < $1.key }.map {
            "<tr><td>\(Markup.escaped($0.key))</td><td><code>\(Markup.escaped($0.value.prefix(12)))</code></td></tr>"
        }
        return
            "<section><details><summary><h2>Made of</h2></summary><table>\(rows.joined())</table></details></section>"
    }
}
