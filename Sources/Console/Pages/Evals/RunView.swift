import Domain
import Evaluation
import Foundation

/// One run: verdict, comparison with its base, alerts, stages and fixtures.
struct RunView: Sendable {
    let report: RunReport
    let name: String
    let base: String?
    /// True if passed fixtures are shown too.
    let isWhole: Bool
    let choice: FixtureChoice
    let names: BundleNames

    var html: HTML {
        "\(head)\(ComparisonView(report: report).html)\(fixtures)\(confusion)\(StageBarsView(report.details).html)"
    }

    private var head: HTML {
        let header = report.run.header
        let said = report.reasons.map(Wording.say).joined(separator: "; ")
        let reasons: HTML = said.isEmpty ? "" : "<p>\(said)</p>"
        let counts = SampleRecord.Outcome.allCases.map { outcome in
            let count = report.count(outcome)
            return count == 0
                ? "<span class=\"quiet\">0 \(Wording.say(outcome.rawValue))</span> "
                : "\(RunListView.outcome(outcome)) \(count) " as HTML
        }
        let latencies = LatencySummary(report.run.tally.latencies)
        let live: HTML =
            header.mode.isLive
            ? "<dt>Live turns</dt><dd>\([0.5, 0.95, 0.99].map { Figures.percentile($0, of: latencies) }.joined(separator: "; "))</dd>"
            : ""
        let seconds = Figure.number(report.run.end?.seconds ?? 0, .fractionLength(1))
        return """
            <section class="panel"><p>\(RunListView.badge(report.verdict))</p>\(reasons)<dl class="facts">\(bundle)\
            <dt>Fixtures</dt><dd>\(counts)</dd><dt>Passed</dt><dd>\(Figures.rate(report.run.tally.passes)), 95 % interval</dd>\
            <dt>Source</dt><dd>\(Wording.say(header.mode.rawValue))\(header.model.isEmpty ? "" : ", \(header.model)")</dd>\(live)\
            <dt>Started</dt><dd>\(Figure.time(header.startedAt)), took \(seconds) s</dd></dl></section>
            """
    }

    private var bundle: HTML? {
        let digest = report.run.header.components[RunHeader.bundleComponent]
        return digest.map { "<dt>Bundle</dt><dd>\(names.link($0))</dd>" }
    }

    /// Matrix of expected alert levels by row and actual levels by column.
    ///
    /// Cells below the expected level are highlighted.
    private var confusion: HTML {
        guard !report.details.alerts.isEmpty else { return "" }
        var table = Table(
            "Alert levels: expected by row, actual by column",
            columns: ["Expected at least"] + Level.allCases.map { Wording.say($0.rawValue) },
            hasCards: false
        )
        for expected in Level.allCases {
            let cells = Level.allCases.map { written in
                let count = report.details.alerts[expected]?[written] ?? 0
                guard count > 0 else { return "<span class=\"quiet\">0</span>" as HTML }
                if written < expected { return Badge(Wording.say("\(count) too low"), .danger).html }
                return written == expected
                    ? Badge("\(count)", .good).html : Badge(Wording.say("\(count) above"), .notice).html
            }
            table.add(["\(Wording.say(expected.rawValue))"] + cells)
        }
        return "<h2>Alerts</h2>\(table.html())"
    }

    private var fixtures: HTML {
        let admitted = report.fixtures.filter { fixture, _ in
            (isWhole || (fixture.outcome != .pass && fixture.outcome != .skipped))
                && choice.admits(fixture.fixture, suite: fixture.suite, severity: fixture.severity)
        }
        let isBad = { (outcome: SampleRecord.Outcome) in outcome != .pass && outcome != .skipped }
        let bad = Fixture.Severity.allCases.flatMap { severity in
            admitted.filter { isBad($0.entry.outcome) && $0.entry.severity == severity }
        }
        let shown = bad + admitted.filter { !isBad($0.entry.outcome) }
        let suites = Set(report.fixtures.map(\.entry.suite)).sorted()
        let kept: KeyValuePairs = ["all": isWhole ? "1" : "", "base": base ?? ""]
        let form = choice.form(to: ConsolePath("evals", name), suites: suites, kept: kept)
        let more: HTML =
            isWhole
            ? "<p><a href=\"\(ConsolePath.run(name, against: base))\">Show only those that did not pass</a></p>"
            : "<p><a href=\"\(ConsolePath.run(name, against: base, isWhole: true))\">Show passed fixtures too</a></p>"
        let items = shown.map { entry, sample in
            """
            <details class="fixture"\(isWhole && !choice.text.isEmpty ? " open" : "")><summary>\(RunListView.outcome(entry.outcome)) <b><bdi>\(entry.fixture)</bdi></b> \
            <span class="quiet">\(Wording.say(entry.severity.rawValue)), \(entry.counts[.pass] ?? 0) of \(entry.expected) passed\
            \(entry.outcome == .pass ? "" : "; \(entry.reason)")</span></summary>\
            \(sample.map { SampleView(sample: $0).html } ?? "<p>not run</p>")</details>
            """ as HTML
        }
        let reason: HTML = choice.isEmpty ? "Every fixture passed or was skipped." : "No fixture matches the filter."
        let empty: HTML = items.isEmpty ? "<p class=\"quiet\">\(reason)</p>" : ""
        return "<h2>Fixtures</h2>\(form)\(empty)\(items)\(more)"
    }
}

extension RunListView {
    /// Badge of a fixture's outcome.
    static func outcome(_ outcome: SampleRecord.Outcome) -> HTML {
        switch outcome {
        case .pass: Badge("pass", .good).html
        case .fail: Badge("fail", .danger).html
        case .error, .unmeasured: Badge(outcome.rawValue, .warning).html
        case .skipped: Badge("skipped").html
        }
    }
}

/// Latency histogram of each stage as bars, with the same figures in a table below.
struct StageBarsView: Sendable {
    private static let height = 36
    private static let width = 22

    private let stages: [(name: String, counts: [Int])]

    init(_ details: RunDetails) {
        stages = details.stages.sorted { $0.key < $1.key }.map { ($0.key, $0.value.counts) }
    }

    var html: HTML {
        guard !stages.isEmpty else { return "" }
        var table = Table("Turns by stage and milliseconds", columns: ["Stage", "Bars"] + Self.steps + ["Turns"])
        for stage in stages {
            let cells = stage.counts.map { $0 == 0 ? "<span class=\"quiet\">0</span>" : "\($0)" as HTML }
            table.add(
                ["\(Wording.say(StageLabels.name(of: stage.name)))", bars(stage)] + cells + [
                    "\(stage.counts.reduce(0, +))"
                ]
            )
        }
        return """
            <h2>Milliseconds by stage</h2><p class="quiet">All turns, simulated ones included; percentiles are judged on live \
            turns only.</p>\(table.html())
            """
    }

    private static var steps: [String] { StageHistogram.edges.map { "< \(Int($0))" } + [Wording.say("more")] }

    private func bars(_ stage: (name: String, counts: [Int])) -> HTML {
        let greatest = Double(max(1, stage.counts.max() ?? 1))
        let bars = stage.counts.enumerated().map { index, count in
            let height = count == 0 ? 0 : max(2, Int(Double(count) / greatest * Double(Self.height)))
            return """
                <rect class="bar" x="\(index * Self.width + 2)" y="\(Self.height - height)" width="\(Self.width - 4)" \
                height="\(height)"/>
                """ as HTML
        }
        let whole = stage.counts.count * Self.width
        let spoken = Wording.say("Bars of the stage \(StageLabels.name(of: stage.name)); the figures follow")
        return """
            <svg role="img" aria-label="\(spoken)" width="\(whole)" \
            height="\(Self.height)" viewBox="0 0 \(whole) \(Self.height)">\(bars)</svg>
            """
    }
}
