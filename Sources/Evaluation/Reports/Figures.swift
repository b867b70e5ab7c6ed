import Foundation

/// Formats figures for reports.
package enum Figures {
    /// "97.5 %".
    package static func percent(_ rate: Double) -> String { String(format: "%.1f %%", rate * 100) }

    /// "97.5 % [95.1, 98.8]"; empty if nothing was counted.
    package static func rate(_ proportion: Proportion) -> String {
        guard let rate = proportion.rate else { return "-" }
        let interval = proportion.interval
        return percent(rate) + String(format: " [%.1f, %.1f]", interval.lowerBound * 100, interval.upperBound * 100)
    }

    /// "-2.5 pt [-4.6, -0.8]".
    package static func change(_ change: MeasureChange) -> String {
        RunComparison.points(change.difference)
            + String(format: " [%.1f, %.1f]", change.interval.lowerBound * 100, change.interval.upperBound * 100)
    }

    /// A probability with three decimals, or "<0.001".
    package static func chance(_ chance: Double) -> String {
        chance < 0.001 ? "<0.001" : String(format: "%.3f", chance)
    }

    /// "p95 2910 ms (at most 3140)", or why there is none.
    package static func percentile(_ share: Double, of latencies: LatencySummary) -> String {
        let name = "p\(Int(share * 100))"
        switch latencies.percentile(share) {
        case .known(let milliseconds, let bound):
            return "\(name) \(Int(milliseconds.rounded())) ms (at most \(Int(bound.rounded())))"
        case .tooFew(let count, let needed): return "\(name) not judged: \(count) of \(needed) live turns"
        }
    }
}
