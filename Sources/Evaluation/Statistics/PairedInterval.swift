import Foundation
import Runtime

/// Confidence intervals for the mean of paired differences.
package enum PairedInterval {
    /// 95 % interval of a difference of pass rates (Bonett and Price, 2012).
    ///
    /// It has a width even if nothing flipped.
    ///
    /// - Parameter differences: Candidate minus base, from -1 to 1, one per conversation.
    package static func ofRates(_ differences: [Double]) -> ClosedRange<Double> {
        let n = Double(differences.count) + 2
        let risen = (differences.reduce(0) { $0 + max(0, $1) } + 1) / n
        let fallen = (differences.reduce(0) { $0 + max(0, -$1) } + 1) / n
        let difference = risen - fallen
        let half = Proportion.z * ((risen + fallen - difference * difference) / n).squareRoot()
        return max(-1, difference - half)...min(1, difference + half)
    }

    /// 95 % bootstrap interval of a mean (percentiles of 4,000 resamples); nil for fewer than two values.
    ///
    /// The seed makes it reproducible.
    package static func ofMean(_ values: [Double], seed: UInt64, resamples: Int = 4_000) -> ClosedRange<Double>? {
        guard values.count > 1 else { return nil }
        var random = SeededGenerator(seed: seed)
        var means: [Double] = []
        means.reserveCapacity(resamples)
        for _ in 0..<resamples {
            var sum = 0.0
            for _ in values.indices { sum += values[Int.random(in: 0..<values.count, using: &random)] }
            means.append(sum / Double(values.count))
        }
        means.sort()
        let cut = Int((0.025 * Double(resamples)).rounded(.down))
        return means[cut]...means[resamples - 1 - cut]
    }
}
