/// What an assertion says of an answer, before it is negated or weighed.
enum Judgement: Sendable, Equatable {
    /// It holds, or not, and why; the score is from 0 to 1.
    case measured(holds: Bool, score: Double, reason: String)
    /// It could not be measured.
    case unmeasured(String)

    static func holds(_ holds: Bool, _ reason: String) -> Judgement {
        .measured(holds: holds, score: holds ? 1 : 0, reason: reason)
    }

    /// The opposite; what could not be measured stays so.
    var negated: Judgement {
        switch self {
        case .measured(let holds, let score, let reason): .measured(holds: !holds, score: 1 - score, reason: reason)
        case .unmeasured: self
        }
    }
}
