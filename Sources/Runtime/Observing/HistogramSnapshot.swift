/// The state of one series of a ``Histogram`` at one moment.
package struct HistogramSnapshot: Sendable, Equatable {
    /// The number of durations in each bucket, in the order of ``Histogram/bounds``; durations above the last bound
    /// are in none.
    package let counts: [Int]
    /// The number of durations.
    package let count: Int

    package init(counts: [Int], count: Int) {
        self.counts = counts
        self.count = count
    }

    /// Returns the durations that were counted after an earlier snapshot of the same series.
    package func since(_ earlier: HistogramSnapshot?) -> HistogramSnapshot {
        guard let earlier, earlier.count <= count else { return self }
        return HistogramSnapshot(counts: zip(counts, earlier.counts).map { $0 - $1 }, count: count - earlier.count)
    }

    /// Returns the duration that a share of all does not exceed; nil when nothing was counted.
    ///
    /// Assumes evenly spread durations within a bucket, as Prometheus does. Durations above the last bound count as
    /// the last bound.
    ///
    /// - Parameter share: From 0 to 1.
    package func quantile(_ share: Double) -> Duration? {
        guard count > 0 else { return nil }
        let rank = share * Double(count)
        var below = 0
        var lower = 0.0
        for (bound, inside) in zip(Histogram.bounds, counts) {
            if inside > 0, Double(below + inside) >= rank {
                return .seconds(lower + (bound - lower) * max(0, rank - Double(below)) / Double(inside))
            }
            below += inside
            lower = bound
        }
        return .seconds(lower)
    }
}
