import Foundation

/// Exact test whether paired differences lean to one side.
///
/// Under the null hypothesis each conversation's difference could have had the opposite sign. With one fixture per
/// conversation it is McNemar's exact test; with several it keeps them together.
package struct SignFlipTest: Sendable, Equatable {
    /// P-value of a drop: the probability of one at least as large if nothing had changed.
    package let dropChance: Double
    /// P-value of a rise, likewise.
    package let riseChance: Double

    /// Resolution for differences that are not integers, in parts of one.
    private static let parts = 840.0

    /// Tests differences of candidate minus base, one per conversation.
    ///
    /// The time is quadratic in the number of non-zero
    /// ones.
    package init(_ differences: [Double]) {
        let values = Self.whole(differences.filter { $0 != 0 })
        let total = values.reduce(0) { $0 + abs($1) }
        var chances = [1.0]
        for value in values {
            let size = abs(value)
            var next = [Double](repeating: 0, count: chances.count + size)
            for (sum, chance) in chances.enumerated() {
                next[sum] += chance / 2
                next[sum + size] += chance / 2
            }
            chances = next
        }
        // The index is the sum of the positive values; the difference is twice that, minus the total.
        let observed = (values.reduce(0, +) + total) / 2
        dropChance = min(1, chances.prefix(observed + 1).reduce(0, +))
        riseChance = min(1, chances.suffix(from: observed).reduce(0, +))
    }

    /// The differences as multiples of their greatest common unit.
    private static func whole(_ differences: [Double]) -> [Int] {
        let isWhole = differences.allSatisfy { $0 == $0.rounded() }
        let values = differences.map { Int(($0 * (isWhole ? 1 : parts)).rounded()) }.filter { $0 != 0 }
        let unit = values.reduce(0) { greatestDivisor($0, abs($1)) }
        return unit > 1 ? values.map { $0 / unit } : values
    }

    private static func greatestDivisor(_ left: Int, _ right: Int) -> Int {
        right == 0 ? left : greatestDivisor(right, left % right)
    }
}
