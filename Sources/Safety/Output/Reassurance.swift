import Conversation
import Runtime

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
