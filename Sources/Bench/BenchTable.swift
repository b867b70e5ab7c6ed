import Runtime

/// Formats benchmark rows as a text table.
package enum BenchTable {
    private static let columns = [
        "scenario", "subject", "answered", "failed", "per s", "p50 ms", "p90 ms", "p99 ms", "p99.9 ms", "longest",
        "CPU µs",
        "kernel µs", "bytes", "transfers", "MB",
    ]

    /// A header line, then one line per row.
    package static func text(_ rows: [BenchRow]) -> String {
        let lines = [columns] + rows.map(cells)
        let widths = columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            line.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - line[column].count)
                return column < 2 ? line[column] + space : space + line[column]
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// One line with the ratio of two rows of the same scenario, for CPU time, each percentile and the rate.
    package static func ratios(_ row: BenchRow, _ peer: BenchRow) -> String {
        var parts: [String] = []
        if let own = row.cost, let other = peer.cost, own.processor > .zero {
            parts.append("CPU \(ratio(other.processor / own.processor))")
        }
        for (name, share) in BenchRow.shares {
            guard let own = row.latencies.percentile(share), let other = peer.latencies.percentile(share) else {
                continue
            }
            parts.append("\(name) \(ratio(other / own))")
        }
        if row.rate > 0 { parts.append("rate \(ratio(peer.rate / row.rate))") }
        return "\(row.scenario): \(peer.subject) to \(row.subject): " + parts.joined(separator: ", ")
    }

    private static func ratio(_ value: Double) -> String { "\(rounded(value, digits: 2))×" }

    private static func cells(_ row: BenchRow) -> [String] {
        let percentiles = BenchRow.shares.map { row.latencies.percentile($0.share).map(milliseconds) ?? "–" }
        let failed = row.failures.values.reduce(0, +)
        let cost = row.cost.map { cost in
            [
                microseconds(cost.user), microseconds(cost.system), rounded(cost.bytes, digits: 0),
                rounded(cost.transfers, digits: 1), rounded(Double(cost.mostResident) / 1_048_576, digits: 0),
            ]
        }
        return [row.scenario, row.subject, "\(row.latencies.count)", "\(failed)", rounded(row.rate, digits: 0)]
            + percentiles + [row.latencies.longest.map(milliseconds) ?? "–"]
            + (cost ?? [String](repeating: "–", count: 5))
    }

    private static func milliseconds(_ duration: Duration) -> String {
        var text: [UInt8] = []
        text.appendMilliseconds(duration, digits: 2)
        return String(decoding: text, as: UTF8.self)
    }

    private static func microseconds(_ duration: Duration) -> String { "\(duration.nanoseconds / 1000)" }

    private static func rounded(_ value: Double, digits: Int) -> String {
        guard digits > 0 else { return "\(Int(value.rounded()))" }
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        return "\((value * scale).rounded() / scale)"
    }
}
