import Runtime

/// Durations of one operation, many times.
struct Timings {
    private let sorted: [Duration]

    /// Times a call for each value, after a round that warms up.
    init<Value>(_ values: [Value], _ call: (Value) -> Void) {
        for value in values { call(value) }
        sorted = values.map { value in
            let began = Instant.now
            call(value)
            return Instant.now.since(began)
        }.sorted()
    }

    var longest: Duration { sorted.last ?? .zero }

    private var mean: Duration { sorted.reduce(.zero, +) / max(1, sorted.count) }

    private func percentile(_ share: Double) -> Duration {
        sorted.isEmpty ? .zero : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }

    /// Mean, median, 99th percentile and longest, in microseconds.
    var line: String {
        "mean \(mean.text), p50 \(percentile(0.5).text), p99 \(percentile(0.99).text), longest \(longest.text)"
    }
}

extension Duration {
    fileprivate var text: String {
        let microseconds = Double(components.attoseconds) / 1e12 + Double(components.seconds) * 1e6
        return "\(Int(microseconds.rounded())) µs"
    }
}
