/// Latency section of the HTML report: bars per stage, in steps that about double.
enum HTMLHistogram {
    private static let height = 18.0

    static func section(_ details: RunDetails) -> String {
        let stages = details.stages.filter { $0.value.total > 0 }.sorted { $0.key < $1.key }
        guard !stages.isEmpty else { return "" }
        let rows = stages.map {
            "<tr><th>\(Markup.escaped($0.key))</th>\(bars($0.value))<td>\($0.value.total)</td></tr>"
        }
        let steps = StageHistogram.edges.map { "<th>&lt;\(Int($0))</th>" }.joined()
        return
            "<section id=\"stages\"><h2>Milliseconds by stage</h2><p class=\"note\">Every turn, simulated ones too; "
            + "only live ones are ever judged by percentile.</p><div class=\"scroll\"><table class=\"bars\">"
            + "<thead><tr><th></th>\(steps)<th>more</th><th>turns</th></tr></thead>\(rows.joined())</table></div></section>"
    }

    private static func bars(_ histogram: StageHistogram) -> String {
        let greatest = Double(histogram.counts.max() ?? 1)
        return histogram.counts.map { count in
            guard count > 0 else { return "<td></td>" }
            let pixels = max(2, Int(Double(count) / greatest * height))
            return "<td>\(count)<i style=\"height:\(pixels)px\"></i></td>"
        }.joined()
    }
}
