/// A share of some messages, with how sure it can be: the Wilson score interval for 95 %.
///
/// Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
package struct Proportion: Sendable, Equatable, Encodable {
    /// How many of them.
    package let count: Int
    /// Of how many.
    package let total: Int

    /// Makes a share.
    package init(_ count: Int, of total: Int) {
        self.count = count
        self.total = total
    }

    /// The share; 0 of nothing is 0.
    package var value: Double { total == 0 ? 0 : Double(count) / Double(total) }

    /// Between which shares the true one lies, 95 times of 100; 0 to 1 when there are no messages.
    package var interval: ClosedRange<Double> {
        guard total > 0 else { return 0...1 }
        let z = 1.959_963_985
        let n = Double(total)
        let centre = (value + z * z / (2 * n)) / (1 + z * z / n)
        let half = z / (1 + z * z / n) * (value * (1 - value) / n + z * z / (4 * n * n)).squareRoot()
        return max(0, centre - half)...min(1, centre + half)
    }

    private enum Key: String, CodingKey { case count, total, value, from, to }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(count, forKey: .count)
        try container.encode(total, forKey: .total)
        try container.encode(value, forKey: .value)
        try container.encode(interval.lowerBound, forKey: .from)
        try container.encode(interval.upperBound, forKey: .to)
    }
}
