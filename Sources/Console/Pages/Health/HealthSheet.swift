import Conversation
import Foundation
import Runtime

/// The figures of a quarter of an hour as markup.
struct HealthSheet: Sendable {
    /// A share that must stay below a limit; the limits are those by which the operators are paged.
    private struct Limit: Sendable {
        let name: String
        let part: Int
        let whole: Int
        let percent: Int

        var isPassed: Bool { whole >= 20 && part * 100 > percent * whole }
    }

    private static let span = "15 min"
    /// How many samples one point of a plot is made of: half a minute.
    private static let stride = 6

    private let samples: [HealthSample]
    private let parts: [(part: ReadinessPart, since: Date?)]

    init(_ samples: [HealthSample], parts: [(part: ReadinessPart, since: Date?)]) {
        self.samples = samples
        self.parts = parts
    }

    var html: HTML {
        guard let first = samples.first, let last = samples.last else {
            return "\(partsTable)<p class=\"quiet\">No figures yet; they are looked at every five seconds.</p>"
        }
        return """
            <p class="quiet">This replica, the last fifteen minutes or since it was started.</p>\
            <h2>Limits</h2>\(limits(first, last))<h2>Parts</h2>\(partsTable)\
            <h2>Turns against the five-second line</h2>\(turnPlot)\
            <h2>Stages</h2>\(durations("Stages of a turn", "Stage", last.stages, first.stages))\
            <h2>Routes</h2>\(durations("Requests by route", "Route", last.routes, first.routes))\
            <h2>What waits</h2>\(queues(last))
            """
    }

    private func limits(_ first: HealthSample, _ last: HealthSample) -> HTML {
        let turns = HealthSample.merged(last.turns).since(HealthSample.merged(first.turns))
        let inTime = zip(Histogram.bounds, turns.counts).filter { $0.0 <= 5 }.reduce(0) { $0 + $1.1 }
        let all = [
            Limit(name: "Turns that took more than 5 s", part: turns.count - inTime, whole: turns.count, percent: 5),
            Limit(
                name: "Requests answered with an error of ours",
                part: last.failedRequests - first.failedRequests,
                whole: last.requests - first.requests,
                percent: 5
            ),
            Limit(
                name: "Alert dispatches that failed",
                part: last.failedDispatches - first.failedDispatches,
                whole: last.dispatches - first.dispatches,
                percent: 2
            ),
        ]
        var table = Table("Shares that the operators are paged for", columns: ["Share", "Now", "Limit", "State"])
        for limit in all {
            table.add(
                "\(limit.name)",
                "\(Figure.percent(limit.part, of: limit.whole)) (\(limit.part) of \(limit.whole))",
                "\(limit.percent) %",
                limit.isPassed ? Badge("above the limit", .danger).html : Badge("within", .good).html
            )
        }
        return table.html()
    }

    private var partsTable: HTML {
        var table = Table("The parts of this replica", columns: ["Part", "State", "Since", "What is wrong"])
        for (part, since) in parts {
            table.add("\(part.name)", Self.badge(part.state), "\(since.map(Figure.time))", "\(part.detail)")
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

    private var turnPlot: HTML {
        let merged = samples.map { HealthSample.merged($0.turns) }
        let ends = Array(Swift.stride(from: 0, to: merged.count, by: Self.stride))
        let lines = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)].map { name, share in
            Plot.Line(
                name,
                zip(ends, ends.dropFirst()).map { start, end in
                    merged[end].since(merged[start]).quantile(share)?.seconds
                }
            )
        }
        return Plot("Seconds to answer a turn", unit: "s", lines: lines, limit: 5, span: Self.span).html
    }

    private func durations(
        _ caption: String,
        _ column: String,
        _ last: [[String]: HistogramSnapshot],
        _ first: [[String]: HistogramSnapshot]
    ) -> HTML {
        var table = Table(caption, columns: [column, "Count", "p50", "p95", "p99"])
        for (labels, snapshot) in last.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let recent = snapshot.since(first[labels])
            guard recent.count > 0 else { continue }
            let values = [0.5, 0.95, 0.99].map { recent.quantile($0).map(Figure.milliseconds) ?? "–" }
            table.add(
                "\(labels.joined(separator: " "))",
                "\(recent.count)",
                "\(values[0])",
                "\(values[1])",
                "\(values[2])"
            )
        }
        return table.html(ifEmpty: "Nothing was measured in this time.")
    }

    private func queues(_ last: HealthSample) -> HTML {
        var table = Table("What waits now, and the most of it", columns: ["Queue", "Now", "Most"])
        for (index, queue) in last.queues.enumerated() {
            let most = samples.map { $0.queues[index].depth }.max() ?? 0
            table.add("\(queue.name)", "\(Figure.short(queue.depth))", "\(Figure.short(most))")
        }
        return table.html()
    }
}
