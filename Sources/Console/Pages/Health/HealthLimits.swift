import Runtime

/// What the operators are paged for, and what they are warned of: shares of the last quarter of an hour that must stay below a
/// limit.
struct HealthLimits: Sendable {
    /// Shares of fewer than these say nothing.
    private static let fewest = 20

    /// One share with its limit.
    struct Limit: Sendable {
        let name: String
        let part: Int
        let whole: Int
        /// In percent.
        let most: Int
        /// What passing it means: "pages", "warns".
        let consequence: String

        var isPassed: Bool { whole >= HealthLimits.fewest && part * 100 > most * whole }
    }

    let all: [Limit]

    init(from first: HealthSample, to last: HealthSample) {
        let turns = HealthSample.merged(last.turns).since(HealthSample.merged(first.turns))
        let inTime = zip(Histogram.bounds, turns.counts).filter { $0.0 <= 5 }.reduce(0) { $0 + $1.1 }
        all = [
            Limit(
                name: "Turns that took more than 5 s",
                part: turns.count - inTime,
                whole: turns.count,
                most: 5,
                consequence: "warns"
            ),
            Limit(
                name: "Requests answered with an error of ours",
                part: last.failedRequests - first.failedRequests,
                whole: last.requests - first.requests,
                most: 5,
                consequence: "pages"
            ),
            Limit(
                name: "Alert dispatches that failed",
                part: last.failedDispatches - first.failedDispatches,
                whole: last.dispatches - first.dispatches,
                most: 2,
                consequence: "pages"
            ),
        ]
    }

    var html: HTML {
        var table = Table(
            "Shares of the last fifteen minutes",
            columns: ["Share", "Now", "Limit", "Above it", "State"]
        )
        for limit in all {
            table.add(
                "\(limit.name)",
                "\(Figure.percent(limit.part, of: limit.whole)) <span class=\"quiet\">\(limit.part) of \(limit.whole)</span>",
                "\(limit.most) %",
                "\(limit.consequence) the operators",
                limit.isPassed ? Badge("above the limit", .danger).html : Badge("within", .good).html
            )
        }
        return table.html()
    }
}
