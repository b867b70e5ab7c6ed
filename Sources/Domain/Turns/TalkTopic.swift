/// A subject of everyday talk, such as the weather or the garden, for which the bundle has wordings.
///
/// A reply on the subject acknowledges the message even when no model's words may be spoken.
package struct TalkTopic: Sendable, Equatable {
    /// Its name in the bundle.
    package let name: String
    private let phrases: [String: SpokenPhrases]

    /// Makes a topic.
    ///
    /// - Parameter phrases: The phrases that name it, by language, in lower case; each also matches its plural.
    package init(_ name: String, phrases: [String: [String]]) {
        self.name = name
        self.phrases = phrases.mapValues { SpokenPhrases($0) }
    }

    /// Returns the name of the wordings for a person who tells of it, or who asks.
    package func replyName(isAsked: Bool) -> String { "topic.\(name)." + (isAsked ? "asked" : "told") }

    /// Returns the number of times that a message names it.
    package func count(in words: SpokenWords, _ singular: SpokenWords, language: String) -> Int {
        guard let phrases = phrases[language] else { return 0 }
        return Set(phrases.found(in: words) + phrases.found(in: singular)).count
    }
}
