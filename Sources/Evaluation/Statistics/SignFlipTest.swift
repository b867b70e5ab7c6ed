import Foundation

/// Whether paired differences lean to one side, exactly.
///
/// Under no change each conversation's difference might as well have had the other sign. With one fixture to a conversation
/// this is McNemar's exact test (the sign test on those that flipped); with several it keeps them together.
package struct SignFlipTest: Sendable, Equatable {
    /// The chance of a drop at least as great as the one that was seen, if nothing had changed.
    package let dropChance: Double
    /// The same of a rise.
    package let riseChance: Double

    /// How finely differences are told apart when they are no whole numbers.
    private static let parts = 840.0

    /// Tests differences, candidate less base, one for each conversation; quadratic in the number of those that differ.
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
        // An index is the sum of those with a plus sign: the difference is twice that, less the total.
        let observed = (values.reduce(0, +) + total) / 2
        dropChance = min(1, chances.prefix(observed + 1).reduce(0, +))
        riseChance = min(1, chances.suffix(from: observed).reduce(0, +))
    }

    /// The differences as whole numbers of one unit, the greatest that divides them all.
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
