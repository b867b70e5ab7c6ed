package import Conversation

/// A line of ours for one category and level, in each language.
package struct SafetyLine: Sendable, Equatable {
    /// Which answer to the line's question makes things worse.
    package enum WorseAnswer: String, Sendable {
        case yes, no
        /// Neither does; the question only asks what to do.
        case none
    }

    /// What it is about; nil for any category.
    package let category: Category?
    /// The level that it is for.
    package let level: Level
    /// The words, by language: "en", "es".
    package let words: [String: String]
    /// The same for a listener whose carer may be the danger, so that nobody close is said to be told; nil where the words
    /// do not say so anyway.
    package let unannounced: [String: String]?
    /// Which answer makes things worse; nil when it asks nothing.
    package let worse: WorseAnswer?
    /// The level that a worse answer raises the matter to.
    package let raises: Level?

    /// The line as a reply in a language; English where it has no words of that language.
    package func reply(in language: String, isUnannounced: Bool = false) -> FixedReply {
        let words = isUnannounced ? unannounced ?? words : words
        return FixedReply(text: words[String(language.prefix(2)).lowercased()] ?? words["en"] ?? "", asks: worse != nil)
    }

    /// The line as a listener may hear it.
    func reply(to listener: Listener) -> FixedReply {
        reply(in: listener.language, isUnannounced: listener.isUnannounced)
    }
}
