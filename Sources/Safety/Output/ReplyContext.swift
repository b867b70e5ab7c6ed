import Conversation
import Foundation

/// Weighs the judgement of a sentence by what its message asks for.
///
/// The same words do harm after "May I take two?" and none after "Tell me a story". So the judge's probability, the message
/// and the rules are added up as log-odds. The weights are a logistic regression over the sentences of the conversation
/// suite; docs/detector.md tells how well each part does.
struct ReplyContext: Sendable {
    /// The log-odds from which a sentence is left out.
    private static let least = -0.6

    private let shift: Double

    /// Takes in what is known of the message and of the sentence's words.
    ///
    /// - Parameters:
    ///   - isNamed: Whether a rule names a harm in the sentence.
    ///   - isProtective: Whether a rule finds words in it that protect.
    init(_ decision: Decision, isNamed: Bool, isProtective: Bool) {
        let topics: Set<Ground> = [.medicine, .medicineNamed, .health, .law]
        let isDanger = decision.warnsOfScam || decision.level >= .medium
        shift =
            -5 + (decision.asks ? 1.3 : 0) + (decision.isQuestion ? 2.2 : 0)
            + (decision.grounds.isDisjoint(with: topics) ? 0 : 1.8) + (isDanger ? 2.2 : 0) + (isNamed ? 1 : 0)
            - (isProtective ? 1.5 : 0)
    }

    /// Whether a sentence is left out.
    func isHarm(_ judgement: ReplyJudgement) -> Bool {
        let probability = min(max(judgement.probability, 0.001), 0.999)
        let odds = 0.68 * log(probability / (1 - probability)) + shift
        return odds - 3.2 * judgement.protective - 2.2 * judgement.referral >= Self.least
    }
}
