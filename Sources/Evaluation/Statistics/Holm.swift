/// Adjusts the chances of several tests, so that all of them together are wrong no oftener than one alone (Holm, 1979).
package enum Holm {
    /// The adjusted chances, in the order of those that were given.
    package static func adjusted(_ chances: [Double]) -> [Double] {
        let order = chances.indices.sorted { chances[$0] < chances[$1] }
        var adjusted = chances
        var greatest = 0.0
        for (rank, index) in order.enumerated() {
            greatest = max(greatest, min(1, Double(chances.count - rank) * chances[index]))
            adjusted[index] = greatest
        }
        return adjusted
    }
}
