/// Draws a turn's stages as a waterfall, from the `Server-Timing` field of the response.
struct Waterfall {
    /// A stage, in milliseconds.
    struct Stage: Equatable {
        let name: String
        let start: Double
        let duration: Double
    }

    let stages: [Stage]

    /// Parses `Server-Timing`; metrics without a start are skipped.
    init(serverTiming: String) {
        stages = serverTiming.split(separator: ",").compactMap { metric in
            let parts = metric.split(separator: ";").map { $0.trimmingPrefix { $0 == " " } }
            let values = Dictionary(
                parts.dropFirst().compactMap { part -> (Substring, Double)? in
                    let pair = part.split(separator: "=", maxSplits: 1)
                    return pair.count == 2 ? Double(pair[1]).map { (pair[0], $0) } : nil
                },
                uniquingKeysWith: { first, _ in first }
            )
            guard let name = parts.first, let start = values["start"], let duration = values["dur"] else { return nil }
            return Stage(name: String(name), start: start, duration: duration)
        }
    }

    /// The drawing: one line per stage, with a bar for its time.
    func drawn(width: Int = 48) -> String {
        guard let end = stages.map({ $0.start + $0.duration }).max(), end > 0 else { return "" }
        let column = (stages.map(\.name.count).max() ?? 0) + 2
        return stages.map { stage in
            let from = Int(stage.start / end * Double(width - 1))
            let length = max(1, Int((stage.duration / end * Double(width)).rounded()))
            let bar = String(repeating: " ", count: from) + String(repeating: "█", count: min(length, width - from))
            let name = stage.name + String(repeating: " ", count: column - stage.name.count)
            let padding = String(repeating: " ", count: width + 1 - bar.count)
            return "\(name)\(bar)\(padding)\(Self.milliseconds(stage.start)) + \(Self.milliseconds(stage.duration)) ms"
        }
        .joined(separator: "\n")
    }

    private static func milliseconds(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
