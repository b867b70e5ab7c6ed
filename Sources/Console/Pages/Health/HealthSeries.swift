import Runtime

/// Time series over the last 15 minutes, with one point per 30 seconds.
struct HealthSeries: Sendable {
    /// Number of samples per point.
    private static let stride = 6
    /// Latency percentiles that are shown.
    static let shares = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)]

    private let samples: [HealthSample]
    private let ends: [Int]

    init(_ samples: [HealthSample]) {
        self.samples = samples
        ends = Array(Swift.stride(from: 0, to: samples.count, by: Self.stride))
    }

    /// Percentiles of a histogram in seconds, point by point.
    func quantiles(_ read: (HealthSample) -> HistogramSnapshot?) -> [Plot.Line] {
        let spans = zip(ends, ends.dropFirst()).map { start, end in
            read(samples[end])?.since(read(samples[start]))
        }
        return Self.shares.map { name, share in
            Plot.Line(name, spans.map { $0?.quantile(share)?.seconds })
        }
    }

    /// A share in percent, point by point; nil where nothing was counted.
    func percent(_ part: (HealthSample) -> Int, of whole: (HealthSample) -> Int) -> [Double?] {
        zip(ends, ends.dropFirst()).map { start, end in
            let count = whole(samples[end]) - whole(samples[start])
            guard count > 0 else { return nil }
            return Double(part(samples[end]) - part(samples[start])) / Double(count) * 100
        }
    }
}
