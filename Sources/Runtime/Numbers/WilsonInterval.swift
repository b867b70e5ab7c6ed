/// The Wilson score interval of a rate at 95 % confidence.
///
/// Source: Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
package enum WilsonInterval {
    /// 97.5th percentile of the normal distribution.
    package static let z = 1.959_963_984_540_054

    /// The interval of a rate; it has a width at 0 and 1 too, and without observations it is 0 to 1.
    package static func of(_ successes: Int, of count: Int) -> ClosedRange<Double> {
        guard count > 0 else { return 0...1 }
        let (n, rate) = (Double(count), Double(successes) / Double(count))
        let middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
        let half = z / (1 + z * z / n) * (rate * (1 - rate) / n + z * z / (4 * n * n)).squareRoot()
        return (successes == 0 ? 0 : max(0, middle - half))...(successes == count ? 1 : min(1, middle + half))
    }
}
