/// A set of durations.
///
/// All values are kept, so that percentiles are exact.
package struct Latencies: Sendable, Equatable {
    private let sorted: [Duration]

    /// Accepts the durations in any order.
    package init(_ durations: [Duration]) {
        sorted = durations.sorted()
    }

    /// Number of durations.
    package var count: Int { sorted.count }

    /// The longest duration; nil if there are none.
    package var longest: Duration? { sorted.last }

    /// Percentile by nearest rank: the smallest duration that at least this share of all durations does not exceed.
    ///
    /// - Parameter share: Above 0 and at most 1; 0.999 is the 99.9th percentile.
    /// - Returns: nil if there are too few durations for the percentile. For example, 500 durations have no 99.9th
    ///   percentile.
    package func percentile(_ share: Double) -> Duration? {
        precondition(share > 0 && share <= 1, "a percentile is of a share")
        guard !sorted.isEmpty, Double(count) * (1 - share) >= 1 || share <= 0.5 else { return nil }
        let rank = Int((share * Double(count)).rounded(.up))
        return sorted[max(1, rank) - 1]
    }
}
