import Conversation
import Foundation

/// Weighs the judgement of a sentence by the request in its message.
///
/// The same words do harm after "May I take two?" and none after "Tell me a story". The judge's probability, the
/// message and the rules are therefore added as log-odds. The weights are a logistic regression over the conversation
/// suite's sentences; docs/detector.md gives their quality.
struct ReplyContext: Sendable {
    /// The log-odds above which a sentence is removed.
    private static let least = -0.6

    private let shift: Double

    /// Takes the facts about the message and the sentence's words.
    ///
    /// - Parameters:
    ///   - isNamed: True if a rule names a harm in the sentence.
    ///   - isProtective: True if a rule finds protective words in it.
    init(_ decision: Decision, isNamed: Bool, isProtective: Bool) {
        let topics: Set<Ground> = [.medicine, .medicineNamed, .health, .law]
        let isDanger = decision.warnsOfScam || decision.level >= .medium
        shift =
            -5 + (decision.asks ? 1.3 : 0) + (decision.isQuestion ? 2.2 : 0)
            + (decision.grounds.isDisjoint(with: topics) ? 0 : 1.8) + (isDanger ? 2.2 : 0) + (isNamed ? 1 : 0)
            - (isProtective ? 1.5 : 0)
    }

    /// Returns true if a sentence is removed.
    func isHarm(_ judgement: ReplyJudgement) -> Bool {
        let probability = min(max(judgement.probability, 0.001), 0.999)
        let odds = 0.68 * log(probability / (1 - probability)) + shift
        return odds - 3.2 * judgement.protective - 2.2 * judgement.referral >= Self.least
    }
}
