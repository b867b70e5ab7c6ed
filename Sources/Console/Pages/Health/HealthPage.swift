import Domain
import Foundation
import Runtime

/// Health of the service: parts, limits, latencies and queues.
package struct HealthPage: ConsolePage {
    package let title: String? = "Health"
    package let place = "health"
    private let history: HealthHistory

    package init(_ history: HealthHistory) {
        self.history = history
    }

    package var routes: [ConsoleRoute] {
        [
            .get("/health") { call async throws(ConsoleError) in
                let range = HealthRange(rawValue: call.query("range") ?? "") ?? .quarter
                return .page(title: "Health", HealthView(history, over: range).html)
            }
        ]
    }
}

/// Renders the metrics of a time.
struct HealthView: Sendable {
    private let range: HealthRange
    private let samples: [HealthSample]
    private let series: HealthSeries
    private let date: Date
    private let parts: [(part: ReadinessPart, since: Date?)]
    private let models: [(outlook: ModelOutlook, name: String, breakerOpenSince: Date?)]

    init(_ history: HealthHistory, over range: HealthRange = .quarter) {
        self.range = range
        samples = history.samples(over: range)
        series = HealthSeries(samples)
        date = history.date
        parts = history.parts
        models = history.models
    }

    var html: HTML {
        let breakers = ModelHealthView(models: models, first: samples.first, last: samples.last).html
        guard let first = samples.first, let last = samples.last else {
            return """
                <h2>Parts</h2>\(partsTable)<h2>Models</h2>\(breakers)\
                <p class="quiet">No figures yet; they are sampled every five seconds.</p>
                """
        }
        return """
            \(ranges)<p class="quiet">This replica, the last \(range.words) or since it was started. Longer times and all \
            replicas are in Prometheus: <code>docker/grafana</code> has a dashboard.</p>\
            <h2>Limits</h2>\(HealthLimits(from: first, to: last).html)<h2>Parts</h2>\(partsTable)\
            <h2>Degraded parts</h2>\(degraded(first, last))<h2>Models</h2>\(breakers)\
            <h2>Over time</h2><div class="panels">\(turnPlot)\(errorPlot)\(alertPlot)\(queuePlot)</div>\(peaks)\
            <h2>Stages</h2>\(durations("Stages of a turn", "Stage") { $0.stages })\
            <h2>Routes</h2>\(durations("Requests by route", "Route") { $0.routes })\
            <h2>Queues</h2>\(queues(last))
            """
    }

    /// Number of turns answered with a degraded part, by part.
    private func degraded(_ first: HealthSample, _ last: HealthSample) -> HTML {
        let turns = last.answered - first.answered
        var table = Table("Degraded turns by part", columns: ["Part", "Turns", "Share"])
        for (labels, count) in last.degraded.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let recent = count - (first.degraded[labels] ?? 0)
            guard recent > 0 else { continue }
            table.add("\(labels.joined(separator: " "))", "\(recent)", "\(Figure.percent(recent, of: turns))")
        }
        return table.html(ifEmpty: "No turn was degraded.")
    }

    private var partsTable: HTML {
        var table = Table("The parts of this replica", columns: ["Part", "State", "Since", "Detail"])
        for (part, since) in parts {
            table.add(
                "\(Wording.say(part.name))",
                Self.badge(part.state),
                "\(since.map(Figure.time))",
                "\(part.detail)"
            )
        }
        return table.html()
    }

    private static func badge(_ state: ReadinessPart.State) -> HTML {
        switch state {
        case .ready: Badge("ready", .good).html
        case .degraded: Badge("degraded", .warning).html
        case .down: Badge("down", .danger).html
        }
    }

    private var ranges: HTML {
        let links = HealthRange.allCases.map { each in
            let mark: HTML = each == range ? " aria-current=\"true\"" : ""
            let path = ConsolePath("health", query: ["range": each.rawValue])
            return "<a class=\"button plain small\" href=\"\(path)\"\(mark)>\(each.words)</a>" as HTML
        }
        return "<p class=\"buttons toolbar\">\(links)</p>"
    }

    private var alertPlot: HTML {
        func raised(_ levels: Set<String>) -> [Double?] {
            series.counts { sample in
                sample.alerts.filter { $0.key.first.map(levels.contains) ?? false }.values.reduce(0, +)
            }
        }
        return Plot(
            "Alerts raised",
            unit: "",
            lines: [
                .init("critical", raised(["critical"])), .init("high", raised(["high"])),
                .init("others", raised(["medium", "low"])),
            ],
            span: range.words,
            changes: series.changes
        ).html
    }

    /// The peaks of the charts with links to their turns, and when bundles changed.
    private var peaks: HTML {
        let raised = series.counts { $0.alerts.values.reduce(0, +) }
        let late = series.quantiles { HealthSample.merged($0.turns) }.last?.values ?? []
        let slowest = series.peak(late).map { peak in
            "<dt>Slowest turns</dt><dd>p99 \(Figure.short(peak.value)) s, \(turns(until: peak.ago))</dd>" as HTML
        }
        let most = series.peak(raised).map { peak in
            """
            <dt>Most alerts</dt><dd>\(Figure.short(peak.value)), \(turns(until: peak.ago, level: .medium))</dd>
            """ as HTML
        }
        let swaps = series.swaps.suffix(5).map { "\(Figure.time(moment($0))) " as HTML }
        let changed: HTML =
            swaps.isEmpty
            ? ""
            : "<dt>Bundle changed</dt><dd>\(swaps)<a href=\"\(ConsolePath("prompts", "history"))\">Release history</a></dd>"
        guard slowest != nil || most != nil || !swaps.isEmpty else { return "" }
        return "<dl class=\"facts peaks\">\(slowest)\(most)\(changed)</dl>"
    }

    private func moment(_ ago: Duration) -> Date { date.addingTimeInterval(-ago.seconds) }

    /// Link to the turns up to the end of a point.
    private func turns(until ago: Duration, level: Level? = nil) -> HTML {
        let query: KeyValuePairs = [
            "range": range == .quarter ? "5m" : "1h", "level": level?.rawValue ?? "",
            "until": moment(ago).addingTimeInterval(1).formatted(.iso8601),
        ]
        return "<a href=\"\(ConsolePath("turns", query: query))\">turns up to \(Figure.time(moment(ago)))</a>"
    }

    private var queuePlot: HTML {
        func depth(_ index: Int) -> [Double?] { series.depths { $0.queues[index].depth } }
        return Plot(
            "Queues: turns in flight, waiting for PostgreSQL, writes in the spool",
            unit: "",
            lines: [.init("turns", depth(0)), .init("waiting", depth(2)), .init("spool", depth(3))],
            span: range.words,
            changes: series.changes
        ).html
    }

    private var turnPlot: HTML {
        let lines = series.quantiles { HealthSample.merged($0.turns) }
        return Plot(
            "Seconds to answer a turn",
            unit: "s",
            lines: lines,
            limit: 5,
            span: range.words,
            changes: series.changes
        )
        .html
    }

    private var errorPlot: HTML {
        let requests = series.percent({ $0.failedRequests }, of: { $0.requests })
        let dispatches = series.percent({ $0.failedDispatches }, of: { $0.dispatches })
        return Plot(
            "Percent that failed: requests, and alert dispatches",
            unit: "%",
            lines: [.init("requests", requests), .init("alerts", dispatches)],
            limit: 5,
            span: range.words,
            changes: series.changes
        ).html
    }

    /// The non-empty series of a histogram, each with its percentiles now and over time.
    private func durations(
        _ caption: String,
        _ column: String,
        _ read: (HealthSample) -> [[String]: HistogramSnapshot]
    ) -> HTML {
        guard let first = samples.first.map(read), let last = samples.last.map(read) else { return "" }
        var table = Table(caption, columns: [column, "Count"] + HealthSeries.shares.map(\.0) + ["Over time"])
        for (labels, snapshot) in last.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let recent = snapshot.since(first[labels])
            guard recent.count > 0 else { continue }
            let values = HealthSeries.shares.map { _, share in
                HTML(text: recent.quantile(share).map(Figure.milliseconds) ?? "–")
            }
            let lines = series.quantiles { read($0)[labels] }
            let plot = Sparkline(lines: lines, limit: 5, unit: "s").html
            table.add(["\(labels.joined(separator: " "))", "\(recent.count)"] + values + [plot])
        }
        return table.html(ifEmpty: "Nothing was measured in this time.")
    }

    private func queues(_ last: HealthSample) -> HTML {
        var table = Table("Queue depths, now and maximum", columns: ["Queue", "Now", "Maximum"])
        for (index, queue) in last.queues.enumerated() {
            let most = samples.map { $0.queues[index].depth }.max() ?? 0
            table.add("\(Wording.say(queue.name))", "\(Figure.short(queue.depth))", "\(Figure.short(most))")
        }
        return table.html()
    }
}

/// The models with the state of their circuit breakers and the outcomes of their calls.
struct ModelHealthView: Sendable {
    let models: [(outlook: ModelOutlook, name: String, breakerOpenSince: Date?)]
    let first: HealthSample?
    let last: HealthSample?

    var html: HTML {
        var table = Table(
            "Models and their circuit breakers",
            columns: ["Model", "Breaker", "Since", "First token, p90", "Calls", "Incomplete calls"]
        )
        for model in models {
            let rest = model.outlook.rest
            let (calls, others) = calls(of: model.name)
            table.add(
                "\(model.name)",
                rest > .zero
                    ? Badge("open for another \(Figure.milliseconds(rest))", .danger).html
                    : Badge("closed", .good).html,
                "\(model.breakerOpenSince.map(Figure.time))",
                "\(model.outlook.firstPieceWithin.map(Figure.milliseconds) ?? Wording.say("too few calls"))",
                "\(calls)",
                "\(Wording.say(others.isEmpty ? "none" : others))"
            )
        }
        return table.html(ifEmpty: "No model is configured; canned replies are sent.")
    }

    /// Number of a model's calls, and the outcomes of incomplete ones, most frequent first.
    private func calls(of model: String) -> (count: Int, others: String) {
        var counts: [String: Int] = [:]
        for (labels, count) in last?.modelCalls ?? [:] where labels.first == model {
            counts[labels.last ?? "", default: 0] += count - (first?.modelCalls[labels] ?? 0)
        }
        let others = counts.filter { $0.key != "whole" && $0.value > 0 }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.value) \($0.key.replacing("_", with: " "))" }
        return (counts.values.reduce(0, +), others.joined(separator: ", "))
    }
}
