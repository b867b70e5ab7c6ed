import Domain
import Runtime

/// Limits that page or warn the operators: shares that must stay below a percentage.
struct HealthLimits: Sendable {
    /// Fewest events for which a share is judged.
    private static let fewest = 20

    /// A share with its limit.
    struct Limit: Sendable {
        let name: String
        let part: Int
        let whole: Int
        /// Limit in percent.
        let most: Int
        /// Consequence of exceeding it: "pages" or "warns".
        let consequence: String

        var isPassed: Bool { whole >= HealthLimits.fewest && part * 100 > most * whole }
    }

    let all: [Limit]

    init(_ total: HealthFigures) {
        let turns = total.turns
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
                name: "Requests answered with a server error",
                part: total.requests.failed,
                whole: total.requests.all,
                most: 5,
                consequence: "pages"
            ),
            Limit(
                name: "Alert dispatches that failed",
                part: total.dispatches.failed,
                whole: total.dispatches.all,
                most: 2,
                consequence: "pages"
            ),
        ]
    }

    var html: HTML {
        var table = Table(
            "Shares of this time",
            columns: ["Indicator", "Now", "Limit", "Action above it", "State"]
        )
        for limit in all {
            table.add(
                "\(Wording.say(limit.name))",
                "\(Figure.percent(limit.part, of: limit.whole)) <span class=\"quiet\">\(limit.part) of \(limit.whole)</span>",
                "\(limit.most) %",
                "\(Wording.say("\(limit.consequence) the operators"))",
                limit.isPassed ? Badge("above the limit", .danger).html : Badge("within the limit", .good).html
            )
        }
        return table.html()
    }
}
