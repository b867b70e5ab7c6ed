import Evaluation

/// Latency histogram of each stage as bars, with the same figures in a table below.
struct StageBarsView: Sendable {
    private static let height = 36
    private static let width = 22

    private let stages: [(name: String, counts: [Int])]

    init(_ details: RunDetails) {
        stages = details.stages.sorted { $0.key < $1.key }.map { ($0.key, $0.value.counts) }
    }

    var html: HTML {
        guard !stages.isEmpty else { return "" }
        var table = Table("Turns by stage and milliseconds", columns: ["Stage", "Bars"] + Self.steps + ["Turns"])
        for stage in stages {
            let cells = stage.counts.map { $0 == 0 ? "<span class=\"quiet\">0</span>" : "\($0)" as HTML }
            table.add(["\(stage.name)", bars(stage)] + cells + ["\(stage.counts.reduce(0, +))"])
        }
        return """
            <h2>Milliseconds by stage</h2><p class="quiet">Every turn, simulated ones too; percentiles are judged on live \
            turns alone.</p>\(table.html())
            """
    }

    private static let steps = StageHistogram.edges.map { "< \(Int($0))" } + ["more"]

    private func bars(_ stage: (name: String, counts: [Int])) -> HTML {
        let greatest = Double(max(1, stage.counts.max() ?? 1))
        let bars = stage.counts.enumerated().map { index, count in
            let height = count == 0 ? 0 : max(2, Int(Double(count) / greatest * Double(Self.height)))
            return """
                <rect class="bar" x="\(index * Self.width + 2)" y="\(Self.height - height)" width="\(Self.width - 4)" \
                height="\(height)"/>
                """ as HTML
        }
        let whole = stage.counts.count * Self.width
        return """
            <svg role="img" aria-label="Bars of the stage \(stage.name); the figures follow" width="\(whole)" \
            height="\(Self.height)" viewBox="0 0 \(whole) \(Self.height)">\(bars)</svg>
            """
    }
}
