import Foundation

/// Statistical power of a comparison.
package enum Power {
    /// Significance level of a drop.
    package static let level = 0.05

    /// Probability that McNemar's exact one-sided test detects a drop.
    ///
    /// - Parameters:
    ///   - count: Number of pairs.
    ///   - worse: True rate of pairs that get worse.
    ///   - better: True rate of pairs that get better.
    package static func ofDrop(count: Int, worse: Double, better: Double) -> Double {
        let flips = worse + better
        guard flips > 0 else { return 0 }
        var power = 0.0
        for flipped in 0...count {
            let chance = Binomial.probability(of: flipped, in: count, rate: flips)
            guard chance > 1e-12, let least = leastWorse(of: flipped) else { continue }
            power += chance * Binomial.probability(ofAtLeast: least, in: flipped, rate: worse / flips)
        }
        return power
    }

    /// Fewest worsened pairs among the flipped ones for a significant drop; nil if even all are too few.
    package static func leastWorse(of flipped: Int) -> Int? {
        var chance = 0.0
        var least: Int?
        for worse in stride(from: flipped, through: 0, by: -1) {
            chance += Binomial.probability(of: worse, in: flipped, rate: 0.5)
            guard chance <= level else { break }
            least = worse
        }
        return least
    }

    /// Smallest drop, as a rate, that is detected with 80 % power if nothing gets better.
    ///
    /// nil if no drop of any size would be detected.
    package static func smallestVisibleDrop(count: Int) -> Double? {
        guard count > 0, ofDrop(count: count, worse: 1, better: 0) >= 0.8 else { return nil }
        var (low, high) = (0.0, 1.0)
        for _ in 0..<30 {
            let middle = (low + high) / 2
            if ofDrop(count: count, worse: middle, better: 0) >= 0.8 { high = middle } else { low = middle }
        }
        return high
    }
}

/// Exact binomial distribution.
package enum Binomial {
    /// Probability of exactly this many successes.
    package static func probability(of successes: Int, in count: Int, rate: Double) -> Double {
        guard (0...count).contains(successes) else { return 0 }
        if rate <= 0 { return successes == 0 ? 1 : 0 }
        if rate >= 1 { return successes == count ? 1 : 0 }
        let ways = lgamma(Double(count) + 1) - lgamma(Double(successes) + 1) - lgamma(Double(count - successes) + 1)
        return exp(ways + Double(successes) * log(rate) + Double(count - successes) * log1p(-rate))
    }

    /// Probability of at least this many successes.
    package static func probability(ofAtLeast successes: Int, in count: Int, rate: Double) -> Double {
        guard successes > 0 else { return 1 }
        guard successes <= count else { return 0 }
        return min(1, (successes...count).reduce(0) { $0 + probability(of: $1, in: count, rate: rate) })
    }

    /// Probability of at most this many successes.
    package static func probability(ofAtMost successes: Int, in count: Int, rate: Double) -> Double {
        guard successes >= 0 else { return 0 }
        guard successes < count else { return 1 }
        return min(1, (0...successes).reduce(0) { $0 + probability(of: $1, in: count, rate: rate) })
    }
}
