/// The greatest milliseconds that a percentile of live turns, or of one of their stages, may come to.
package struct PercentileLimit: Sendable, Equatable {
    /// The stage; nil for whole turns.
    package let stage: String?
    /// The percentile's share, such as 0.95.
    package let share: Double
    /// The limit.
    package let milliseconds: Double

    /// What a reason calls it, such as `recall p95`.
    var name: String { (stage.map { $0 + " " } ?? "") + "p\(Int(share * 100))" }

    /// What it says of a run; nil when the run keeps it.
    ///
    /// With too few samples nothing is said of a percentile; a stage that never ran has none at all.
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
