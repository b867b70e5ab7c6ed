import Conversation
import Runtime

/// Evaluates assertions on stages: their durations, and what reached the model.
enum StageJudgement {
    /// Result of an assertion; nil if it is of another kind.
    static func of(_ kind: Assertion.Kind, _ turn: TurnObservation, _ reply: Reply) -> Judgement? {
        switch kind {
        case .latency(let limit):
            .holds(turn.elapsed.milliseconds <= limit, "it took \(turn.elapsed.milliseconds) ms")
        case .stageLatency(let stage, let limit): stageLatency(stage, limit, turn)
        case .memoryUsed(let text, let inReply): memory(text, inReply: inReply, turn, reply)
        case .prompt(let role, let text): prompt(role, text, turn)
        default: nil
        }
    }

    /// A stage that did not run has no latency and does not pass.
    private static func stageLatency(_ stage: String, _ limit: Double, _ turn: TurnObservation) -> Judgement {
        let spans = turn.spans.filter { $0.stage == stage }
        guard let longest = spans.map(\.duration.milliseconds).max() else {
            return .unmeasured("the stage \(stage) did not run")
        }
        return .holds(longest <= limit, "\(stage) took \(longest) ms")
    }

    /// The memory must have been given, and must appear where it is expected.
    private static func memory(_ text: String, inReply: Bool, _ turn: TurnObservation, _ reply: Reply) -> Judgement {
        let text = text.lowercased()
        guard turn.known.contains(where: { $0.lowercased().contains(text) }) else {
            return .holds(false, "no memory, fact, family member or earlier turn holds \"\(text)\"")
        }
        if inReply { return .holds(reply.text.lowercased().contains(text), "the reply is \"\(reply.text)\"") }
        let isRead = turn.prompts.contains { prompt in
            prompt.messages.contains { $0.role != .system && $0.text.lowercased().contains(text) }
        }
        return .holds(isRead, turn.prompts.isEmpty ? "no model was asked" : "no prompt holds it")
    }

    /// Without a prompt the result is unmeasured, also for a negated assertion.
    private static func prompt(_ role: Prompt.Message.Role?, _ text: String, _ turn: TurnObservation) -> Judgement {
        guard !turn.prompts.isEmpty else { return .unmeasured("no model was asked") }
        let holds = turn.prompts.contains { prompt in
            prompt.messages.contains { (role == nil || $0.role == role) && $0.text.contains(text) }
        }
        let place = role.map { "\($0.rawValue) message" } ?? "message"
        return .holds(holds, holds ? "a \(place) holds \"\(text)\"" : "no \(place) holds \"\(text)\"")
    }
}
