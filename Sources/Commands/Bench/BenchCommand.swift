import Bench
import Foundation
import HTTPClient
import Runtime

/// `hearth bench`: measures the latency and the cost that the service adds to its model.
enum BenchCommand: Command {
    static let name = "bench"
    static let summary = "Measure a service of its own over HTTP, with a stub model and a database of its own."
    static let words = "[SCENARIO…]"
    static let options = [
        (name: "in-flight", summary: "Calls under way at once. Default: 100."),
        (name: "rate", summary: "Calls a second, begun on time whether others are answered or not."),
        (name: "seconds", summary: "How long each scenario is measured. Default: 10."),
        (name: "warm-up", summary: "How long each is done before that. Default: 5."),
        (name: "patients", summary: "How many patients speak. Default: 200."),
        (name: "model-ms", summary: "When the stub model says its first piece. Default: 300."),
        (name: "piece-ms", summary: "How long it waits between pieces. Default: 0."),
        (name: "pieces", summary: "In how many pieces it answers. Default: 8."),
        (name: "fail-percent", summary: "How many of its replies in a hundred are refused."),
        (name: "cut-percent", summary: "How many break off."),
        (name: "stall-percent", summary: "How many stall for 1 to 6 s."),
        (name: "vs", summary: "The command of a peer that does the same job; see Benchmarks/peers."),
        (name: "pairs", summary: "How often service and peer are measured in turn. Default: 1."),
    ]
    static let flags = [(name: "json", summary: "Print JSON.")]

    static func run(_ arguments: Arguments, _ settings: Settings) async throws(CommandFailure) -> ExitCode {
        let bench = try BenchArguments(arguments, settings)
        var rows: [BenchRow] = []
        if bench.scenarios.contains(.screen) { rows += try ScreenBench.rows(promptsFolder: bench.promptsFolder) }
        if bench.scenarios.contains(.recall) { rows += RecallBench.rows() }
        let served = bench.scenarios.filter(\.isServed)
        if !served.isEmpty {
            rows += try await BenchStage.with(bench) { stage in await BenchSession(stage, bench).rows(served) }
        }
        Terminal.out(arguments.flags.contains("json") ? JSONValue.array(rows.map(\.json)).text : BenchTable.text(rows))
        return rows.contains { $0.latencies.count == 0 } ? .failure : .success
    }
}
