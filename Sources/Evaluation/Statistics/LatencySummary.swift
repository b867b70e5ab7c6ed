/// Percentiles of latencies, with a bound, or a refusal where there are too few of them.
package struct LatencySummary: Sendable, Equatable {
    /// A percentile, or why there is none.
    package enum Percentile: Sendable, Equatable {
        /// The observed one, and the greatest that is not ruled out at 95 %.
        case known(milliseconds: Double, upperBound: Double)
        /// With so few samples even the slowest says nothing about it.
        case tooFew(count: Int, needed: Int)
    }

    /// How many there are.
    package var count: Int { sorted.count }
    private let sorted: [Double]

    /// Takes milliseconds; only live ones belong here.
    package init(_ milliseconds: [Double]) {
        sorted = milliseconds.sorted()
    }

    /// A percentile, by the nearest rank.
    ///
    /// - Parameter share: Such as 0.95; at least 59 samples are needed for that, and 299 for 0.99: the slowest of fewer
    ///   may lie below the true percentile in more than one case of twenty.
    package func percentile(_ share: Double) -> Percentile {
        let needed = Self.needed(share)
        guard count >= needed else { return .tooFew(count: count, needed: needed) }
        let rank = max(1, Int((share * Double(count)).rounded(.up)))
        var bound = rank
        while bound < count, Binomial.probability(ofAtMost: bound - 1, in: count, rate: share) < 0.95 { bound += 1 }
        return .known(milliseconds: sorted[rank - 1], upperBound: sorted[bound - 1])
    }

    /// The least samples of which the slowest bounds a percentile at 95 %.
    package static func needed(_ share: Double) -> Int {
        var count = 1
        var chance = share
        while chance > 0.05 {
            chance *= share
            count += 1
        }
        return count
    }

    /// How many were slower than a limit.
    package func misses(of limit: Double) -> Proportion {
        Proportion(sorted.count { $0 > limit }, of: count)
    }
}
