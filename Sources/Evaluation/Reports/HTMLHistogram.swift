import Foundation

/// Latencies by stage as bars, in steps that double.
enum HTMLHistogram {
    private static let edges: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]

    static func section(_ details: RunDetails) -> String {
        let stages = details.stages.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
        guard !stages.isEmpty else { return "" }
        let rows = stages.map {
            "<tr><th>\(Markup.escaped($0.key))</th>\(bars($0.value))<td>\($0.value.count)</td></tr>"
        }
        let head = edges.map { "<th>&lt;\(Int($0))</th>" }.joined() + "<th>more</th><th>turns</th>"
        return
            "<section><h2>Milliseconds by stage</h2><p>Every turn, simulated ones too; only live ones are ever judged by percentile.</p>"
            + "<table class=\"bars\"><tr><th></th>\(head)</tr>\(rows.joined())</table></section>"
    }

    private static func bars(_ milliseconds: [Double]) -> String {
        var counts = [Int](repeating: 0, count: edges.count + 1)
        for value in milliseconds { counts[edges.firstIndex { value < $0 } ?? edges.count] += 1 }
        let greatest = Double(counts.max() ?? 1)
        return counts.map { count in
            let height = count == 0 ? 0 : max(2, Int(Double(count) / greatest * 32))
            return "<td title=\"\(count)\"><i style=\"height:\(height)px\"></i>\(count == 0 ? "" : "\(count)")</td>"
        }.joined()
    }
}
