import Foundation

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
