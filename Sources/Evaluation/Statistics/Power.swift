/// What a comparison of a size can see.
package enum Power {
    /// The chance at which a drop counts as one.
    package static let level = 0.05

    /// The chance that the exact one-sided test of McNemar sees a drop.
    ///
    /// - Parameters:
    ///   - count: Pairs.
    ///   - worse: The true rate of those that get worse.
    ///   - better: The true rate of those that get better.
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

    /// How many of those that flipped must have got worse to count as a drop; nil when even all of them are too few.
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

    /// The smallest drop, as a rate, that is seen in four of five comparisons when nothing gets better.
    ///
    /// nil when none of any size would be seen.
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
