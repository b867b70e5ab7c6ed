/// A subject of everyday talk, such as the weather or the garden, for which the bundle has words.
///
/// A reply on the subject shows that the message was heard, even where no model has said anything that may be said.
package struct TalkTopic: Sendable, Equatable {
    /// Its name in the bundle.
    package let name: String
    private let phrases: [String: SpokenPhrases]

    /// Makes a topic.
    ///
    /// - Parameter phrases: The words that name it, by language, in lower case; each stands for its plural too.
    package init(_ name: String, phrases: [String: [String]]) {
        self.name = name
        self.phrases = phrases.mapValues { SpokenPhrases($0) }
    }

    /// The name of the wordings for somebody who tells of it, or who asks.
    package func replyName(isAsked: Bool) -> String { "topic.\(name)." + (isAsked ? "asked" : "told") }

    /// How often a message names it.
    package func count(in words: SpokenWords, _ singular: SpokenWords, language: String) -> Int {
        guard let phrases = phrases[language] else { return 0 }
        return Set(phrases.found(in: words) + phrases.found(in: singular)).count
    }
}
