/// Result of an assertion before negation and weighting.
enum Judgement: Sendable, Equatable {
    /// The assertion was measured; the score is from 0 to 1.
    case measured(holds: Bool, score: Double, reason: String)
    /// It could not be measured.
    case unmeasured(String)

    static func holds(_ holds: Bool, _ reason: String) -> Judgement {
        .measured(holds: holds, score: holds ? 1 : 0, reason: reason)
    }

    /// The opposite result; unmeasured stays unmeasured.
    var negated: Judgement {
        switch self {
        case .measured(let holds, let score, let reason): .measured(holds: !holds, score: 1 - score, reason: reason)
        case .unmeasured: self
        }
    }
}
