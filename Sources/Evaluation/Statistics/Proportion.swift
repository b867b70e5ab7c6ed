import Foundation

/// A rate that was observed, with what may be said of the true one.
package struct Proportion: Sendable, Equatable, Codable {
    /// The normal distribution's 97.5th percentile.
    static let z = 1.959_963_984_540_054

    /// How many did.
    package let successes: Int
    /// Of how many.
    package let count: Int

    /// Makes a proportion.
    package init(_ successes: Int, of count: Int) {
        self.successes = successes
        self.count = count
    }

    /// The observed rate; nil when nothing was observed.
    package var rate: Double? { count == 0 ? nil : Double(successes) / Double(count) }

    /// The 95 % interval of Wilson (1927), which has a width at 0 and at 1 too; everything when nothing was observed.
    package var interval: ClosedRange<Double> {
        guard let rate else { return 0...1 }
        let (n, z) = (Double(count), Self.z)
        let middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
        let half = z / (1 + z * z / n) * (rate * (1 - rate) / n + z * z / (4 * n * n)).squareRoot()
        return (successes == 0 ? 0 : max(0, middle - half))...(successes == count ? 1 : min(1, middle + half))
    }

    /// The greatest rate that is not ruled out at 95 %, one-sided (Clopper and Pearson, 1934).
    ///
    /// None of 299 gives just under 1 %: what can be claimed instead of "never".
    package var upperBound: Double {
        guard successes < count else { return 1 }
        var (low, high) = (0.0, 1.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if Binomial.probability(ofAtMost: successes, in: count, rate: middle) > 0.05 {
                low = middle
            } else {
                high = middle
            }
        }
        return high
    }

    /// The claim in words: "0 of 299: under 1.00 %".
    package var claim: String {
        "\(successes) of \(count): under \(String(format: "%.2f", (upperBound * 10_000).rounded(.up) / 100)) %"
    }
}
