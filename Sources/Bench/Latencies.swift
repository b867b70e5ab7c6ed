/// How long many things took; every value is kept, so that percentiles are exact.
package struct Latencies: Sendable, Equatable {
    private let sorted: [Duration]

    /// Takes the durations, in any order.
    package init(_ durations: [Duration]) {
        sorted = durations.sorted()
    }

    /// How many there are.
    package var count: Int { sorted.count }

    /// The longest; nil when there is none.
    package var longest: Duration? { sorted.last }

    /// The percentile of a share by nearest rank: the least duration that so large a share of all does not exceed.
    ///
    /// - Parameter share: Above 0 and at most 1; 0.999 is the 99.9th percentile.
    /// - Returns: nil when there is none, or too few for the share to leave one out: of 500 none is the 99.9th.
    package func percentile(_ share: Double) -> Duration? {
        precondition(share > 0 && share <= 1, "a percentile is of a share")
        guard !sorted.isEmpty, Double(count) * (1 - share) >= 1 || share <= 0.5 else { return nil }
        let rank = Int((share * Double(count)).rounded(.up))
        return sorted[max(1, rank) - 1]
    }
}
