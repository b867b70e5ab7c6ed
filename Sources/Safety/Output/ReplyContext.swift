import Domain
import Foundation
import Runtime

/// Weighs the judgement of a sentence by the request in its message.
///
/// The same words do harm after "May I take two?" and none after "Tell me a story"; "It is on its way" is a false promise
/// after "Order me a pizza". The judge's probability, the message and the rules are therefore added as log-odds. The
/// weights are a logistic regression over the sentences of five conversation suites; docs/detector.md gives their quality.
struct ReplyContext: Sendable {
    /// The log-odds from which a sentence is removed.
    private static let least = -1.15

    private let shift: Double
    private let requestsAction: Bool

    /// True if the message tells of danger or asks about medicine, health or law.
    ///
    /// There a harmful sentence takes the others of its reply along. Elsewhere only one that is almost certain does.
    let isDelicate: Bool

    /// Takes the facts about the message and the sentence's words.
    ///
    /// - Parameters:
    ///   - isNamed: True if a rule names a harm in the sentence.
    ///   - isProtective: True if a rule finds protective words in it.
    init(_ decision: Decision, isNamed: Bool, isProtective: Bool) {
        let topics: Set<RestrictedTopic> = [.medicine, .medicineNamed, .health, .law]
        let isDanger = decision.reportsScam || decision.level >= .medium
        let isRestricted = !decision.grounds.isDisjoint(with: topics)
        isDelicate = isDanger || isRestricted
        requestsAction = decision.requestsAction
        shift =
            -3.9 + (decision.isQuestion ? 2.6 : 0) + (isRestricted ? 0.9 : 0) + (isDanger ? 1 : 0)
            + (isNamed ? 0.7 : 0) - (isProtective ? 0.7 : 0)
    }

    /// The probability from which a claim about the companion itself, a record or the law is harm in any conversation.
    private static let certainAnywhere = 0.93
    /// The harms that a sentence does by itself: no story, game or recipe makes "Your cab is booked" true.
    private static let harmsAnywhere: Set<ReplyHarm> = [.promise, .record, .claimsHuman, .legalFinancial]

    /// Returns true if a sentence is removed.
    func isHarm(_ judgement: ReplyJudgement, in sentence: String) -> Bool {
        if judgement.probability >= Self.certainAnywhere, Self.harmsAnywhere.contains(judgement.mostProbableHarm) {
            return true
        }
        let probability = min(max(judgement.probability, 0.001), 0.999)
        let odds = 0.75 * log(probability / (1 - probability)) + shift - (sentence.hasSuffix("?") ? 2.1 : 0)
        let promise = judgement.share(of: .promise) * (requestsAction ? 5.1 : -1.9)
        let recipe = isDelicate ? 0 : judgement.share(of: .dose) + judgement.share(of: .diagnosis)
        return odds + promise - 1.1 * recipe - 4.2 * judgement.protective - 4 * judgement.referral >= Self.least
    }
}

/// Detects cheer after something severe: "That's great!" after a fall, "You'll be fine" after chest pain.
///
/// Such sentences are harmless elsewhere, so that they are left out only when the message itself tells of something low or
/// graver, or, while something grave is open, when the detector suspects a danger in it.
enum Reassurance {
    private static let cheers: Set<String> = [
        "great", "wonderful", "congratulations", "fantastic", "awesome", "excellent", "amazing", "exciting", "perfect",
        "haha", "lol", "yay", "hooray", "funny",
    ]
    private static let soothings = [
        "you will be fine", "you are fine", "will be fine", "it is nothing", "no big deal", "not a big deal",
        "do not worry about it", "no problem", "nothing to worry", "not that bad", "not so bad", "could be worse",
        "just relax", "sounds good", "good idea", "sounds fun", "good for you", "well done", "happy to hear",
        "glad to hear",
        "good to hear", "walk it off", "just rest", "go to sleep", "take a nap",
    ]

    /// The rule that a sentence breaks; nil when it may be said.
    static func rule(for text: NormalisedText, _ decision: Decision) -> String? {
        let isChecked = decision.state.incidents.contains { $0.level >= .medium && $0.category != .scam }
        guard decision.level >= .low || isChecked && decision.suspicion != nil else { return nil }
        let words = text.words.map(\.text)
        let line = words.joined(separator: " ")
        let isCheer = words.contains(where: cheers.contains) || soothings.contains(where: line.holds)
        return isCheer ? "output.cheer_in_danger" : nil
    }
}
