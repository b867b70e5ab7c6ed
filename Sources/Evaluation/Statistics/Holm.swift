/// Adjusts p-values of several tests so that the family-wise error rate is controlled (Holm, 1979).
package enum Holm {
    /// Adjusted p-values, in the given order.
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
