/// A share of messages with its Wilson score interval at 95 % confidence.
///
/// Source: Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
package struct Proportion: Sendable, Equatable, Encodable {
    /// The number of messages counted.
    package let count: Int
    /// The number of all messages.
    package let total: Int

    package init(_ count: Int, of total: Int) {
        self.count = count
        self.total = total
    }

    /// The share; zero when there are no messages.
    package var value: Double { total == 0 ? 0 : Double(count) / Double(total) }

    /// The 95 % confidence interval of the share; 0 to 1 without messages.
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
