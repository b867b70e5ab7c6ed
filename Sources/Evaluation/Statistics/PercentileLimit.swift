/// Upper limit on a percentile of live turns, or of one of their stages.
package struct PercentileLimit: Sendable, Equatable {
    /// Name of the stage; nil for whole turns.
    package let stage: String?
    /// Share of the percentile, such as 0.95.
    package let share: Double
    /// Limit in milliseconds.
    package let milliseconds: Double

    /// Name in reasons, such as `recall p95`.
    var name: String { (stage.map { $0 + " " } ?? "") + "p\(Int(share * 100))" }

    /// Finding for a run; nil if the run meets the limit.
    ///
    /// With too few samples the result is inconclusive; a stage that never ran has no percentile.
    func finding(of tally: RunTally) -> (RunGate.Finding, String)? {
        let latencies = stage.map { tally.stageLatencies[$0] ?? [] } ?? tally.latencies
        switch LatencySummary(latencies).percentile(share) {
        case .tooFew(let count, let needed):
            return (.inconclusive, "\(name) is not judged on \(count) live samples; it needs \(needed)")
        case .known(let known, _):
            return known <= milliseconds ? nil : (.failed, "\(name) is \(known) ms; the limit is \(milliseconds)")
        }
    }
}
