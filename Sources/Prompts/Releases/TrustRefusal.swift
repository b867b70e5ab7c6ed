/// Reasons why a model is not trusted with a bundle.
package enum TrustRefusal: Error, Equatable {
    /// The model is the demonstration model.
    case demonstration(model: String)
    /// No run of the floor suite is recorded.
    case noRun(model: String)
    /// No run of the floor suite used this bundle.
    case otherBundle(model: String, bundle: String)
    /// The runs with this bundle used other models, or more than this one.
    case otherModel(model: String, asked: [String])
    /// The newest run did not use the live model.
    case notLive(run: String, mode: String)
    /// The newest run used the strict posture, which proves nothing about the open one.
    case notOpen(run: String)
    /// The newest run did not pass.
    case notPassed(run: String, EvalRun.Verdict)
    /// A run's file is malformed.
    case unreadable(EvalRunFolder.Refusal)
}

extension TrustRefusal: CustomStringConvertible {
    /// A sentence for the operator.
    package var description: String {
        switch self {
        case .demonstration(let model): "\(model) is the demonstration model, which is never trusted."
        case .noRun(let model): "No run of the floor suite is on record; \(model) must pass it first: \(Self.command)"
        case .otherBundle(let model, let bundle):
            "No run of the floor suite answered with the bundle \(bundle.prefix(12)); \(model) must pass it: \(Self.command)"
        case .otherModel(let model, let asked):
            "The floor suite was run with \(Self.names(asked)), not with \(model) alone: \(Self.command)"
        case .notLive(let run, let mode): "The run \(run) is \(mode.isEmpty ? "of no known mode" : mode), not live."
        case .notOpen(let run): "The run \(run) was not in the open posture: add --posture open."
        case .notPassed(let run, let verdict): "The run \(run) is \(verdict.rawValue), not passed."
        case .unreadable(let refusal): "\(refusal)."
        }
    }

    private static let command = "hearth evals run evals/floor --mode live --posture open"

    private static func names(_ models: [String]) -> String {
        let named = models.filter { !$0.isEmpty }
        return named.isEmpty ? "no model" : named.joined(separator: "; ")
    }
}
