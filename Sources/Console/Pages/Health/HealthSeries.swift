import Runtime

/// What the samples of a quarter of an hour come to over time, half a minute a point.
struct HealthSeries: Sendable {
    /// How many samples one point is made of.
    private static let stride = 6
    /// The shares of a latency that are drawn and told.
    static let shares = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)]

    private let samples: [HealthSample]
    private let ends: [Int]

    init(_ samples: [HealthSample]) {
        self.samples = samples
        ends = Array(Swift.stride(from: 0, to: samples.count, by: Self.stride))
    }

    /// The seconds of a histogram's shares, point by point.
    func quantiles(_ read: (HealthSample) -> HistogramSnapshot?) -> [Plot.Line] {
        let spans = zip(ends, ends.dropFirst()).map { start, end in
            read(samples[end])?.since(read(samples[start]))
        }
        return Self.shares.map { name, share in
            Plot.Line(name, spans.map { $0?.quantile(share)?.seconds })
        }
    }

    /// A share in percent, point by point; nil where there was nothing to count.
    func percent(_ part: (HealthSample) -> Int, of whole: (HealthSample) -> Int) -> [Double?] {
        zip(ends, ends.dropFirst()).map { start, end in
            let count = whole(samples[end]) - whole(samples[start])
            guard count > 0 else { return nil }
            return Double(part(samples[end]) - part(samples[start])) / Double(count) * 100
        }
    }
}
