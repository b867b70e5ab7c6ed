import Foundation

/// A run for programs: one document, or a line for each fixture; both name the form that they have.
enum JSONReport {
    private static let schema = 1.0

    static func text(of report: RunReport) -> String {
        let header = report.run.header
        var document: [String: JSONValue] = [
            "schema": .number(schema), "run": .string(header.run), "mode": .string(header.mode.rawValue),
            "model": .string(header.model), "verdict": .string(report.verdict),
            "reasons": .array(report.reasons.map { .string($0) }),
            "counts": .object(
                Dictionary(
                    uniqueKeysWithValues: SampleRecord.Outcome.allCases.map {
                        ($0.rawValue, .number(Double(report.count($0))))
                    }
                )
            ),
            "pass_rate": rate(report.run.tally.passes),
            "components": .object(header.components.mapValues { .string($0) }),
            "fixtures": .array(report.fixtures.map(fixture)),
        ]
        if let comparison = report.comparison { document["comparison"] = self.comparison(comparison) }
        return JSONValue.object(document).text + "\n"
    }

    static func lines(of report: RunReport) -> String {
        report.fixtures.map { fixture($0.entry, $0.sample).text + "\n" }.joined()
    }

    private static func fixture(_ entry: RunTally.Entry, _ sample: SampleRecord?) -> JSONValue {
        .object([
            "schema": .number(schema), "id": .string(entry.fixture), "suite": .string(entry.suite),
            "severity": .string(entry.severity.rawValue), "outcome": .string(entry.outcome.rawValue),
            "passes": .number(Double(entry.counts[.pass] ?? 0)), "samples": .number(Double(entry.expected)),
            "reason": .string(entry.outcome == .pass ? "" : entry.reason),
            "reply": .string(sample?.turns.last?.reply ?? ""),
        ])
    }

    private static func rate(_ proportion: Proportion) -> JSONValue {
        let interval = proportion.interval
        return .object([
            "rate": proportion.rate.map { .number($0) } ?? .null, "low": .number(interval.lowerBound),
            "high": .number(interval.upperBound), "count": .number(Double(proportion.count)),
        ])
    }

    private static func comparison(_ comparison: RunComparison) -> JSONValue {
        .object([
            "verdict": .string(comparison.verdict.rawValue),
            "smallest_visible_drop": comparison.smallestVisibleDrop.map { .number($0) } ?? .null,
            "measures": .array(
                comparison.measures.map { change in
                    .object([
                        "name": .string(change.name), "base": .number(change.base), "candidate": .number(change.candidate),
                        "difference": .number(change.difference), "low": .number(change.interval.lowerBound),
                        "high": .number(change.interval.upperBound), "p_drop": .number(change.dropChance),
                        "p_rise": .number(change.riseChance), "count": .number(Double(change.count)),
                    ])
                }
            ),
            "flips": .array(
                comparison.flips.map { flip in
                    .object([
                        "id": .string(flip.fixture), "severity": .string(flip.severity.rawValue),
                        "base": .string(flip.base.rawValue), "candidate": .string(flip.candidate.rawValue),
                        "reason": .string(flip.reason),
                    ])
                }
            ),
        ])
    }
}
