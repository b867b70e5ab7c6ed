import Conversation
import Foundation
import Runtime

/// The models with the state of their circuit breakers and the outcomes of their calls.
struct ModelHealthView: Sendable {
    let models: [(outlook: ModelOutlook, name: String, restingSince: Date?)]
    let first: HealthSample?
    let last: HealthSample?

    var html: HTML {
        var table = Table(
            "Models and their circuit breakers",
            columns: ["Model", "Breaker", "Since", "Nine of ten speak within", "Calls", "Ended otherwise than whole"]
        )
        for model in models {
            let rest = model.outlook.rest
            let (calls, others) = calls(of: model.name)
            table.add(
                "\(model.name)",
                rest > .zero
                    ? Badge("open, left alone for \(Figure.milliseconds(rest))", .danger).html
                    : Badge("closed", .good).html,
                "\(model.restingSince.map(Figure.time))",
                "\(model.outlook.firstPieceWithin.map(Figure.milliseconds) ?? "too few calls")",
                "\(calls)",
                "\(others.isEmpty ? "none" : others)"
            )
        }
        return table.html(ifEmpty: "No model is set; lines of ours answer.")
    }

    /// Number of a model's calls, and the outcomes of incomplete ones, most frequent first.
    private func calls(of model: String) -> (count: Int, others: String) {
        var counts: [String: Int] = [:]
        for (labels, count) in last?.modelCalls ?? [:] where labels.first == model {
            counts[labels.last ?? "", default: 0] += count - (first?.modelCalls[labels] ?? 0)
        }
        let others = counts.filter { $0.key != "whole" && $0.value > 0 }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.value) \($0.key.replacing("_", with: " "))" }
        return (counts.values.reduce(0, +), others.joined(separator: ", "))
    }
}
