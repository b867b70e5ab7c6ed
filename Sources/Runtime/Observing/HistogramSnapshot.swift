/// What a series of a ``Histogram`` had counted at one moment.
package struct HistogramSnapshot: Sendable, Equatable {
    /// How many durations lie in each bucket, by the order of ``Histogram/bounds``; those above the last bound are in none.
    package let counts: [Int]
    /// How many durations there are.
    package let count: Int

    /// Makes a snapshot.
    package init(counts: [Int], count: Int) {
        self.counts = counts
        self.count = count
    }

    /// What was counted since an earlier snapshot of the same series.
    package func since(_ earlier: HistogramSnapshot?) -> HistogramSnapshot {
        guard let earlier, earlier.count <= count else { return self }
        return HistogramSnapshot(counts: zip(counts, earlier.counts).map { $0 - $1 }, count: count - earlier.count)
    }

    /// The duration that a share of all does not exceed; nil when nothing was counted.
    ///
    /// Within a bucket durations are taken to be spread evenly, as Prometheus does; what lies above the last bound counts as
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
