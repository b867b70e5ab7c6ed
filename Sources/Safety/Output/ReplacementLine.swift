package import Conversation
import YAML

/// A canned reply that replaces a model's reply, in each language.
package struct ReplacementLine: Sendable, Equatable {
    /// The text by language; English is always present.
    package let words: [String: String]

    /// The canned reply; English when the language has no text.
    package func reply(in language: String, id: String) -> CannedReply {
        CannedReply(text: words[language] ?? words["en"] ?? "", ids: [id])
    }

    /// Reads the lines and checks that each has 1 to 20 words and closing punctuation.
    static func lines(_ mapping: YAMLMapping) throws(YAMLError) -> [String: ReplacementLine] {
        var lines: [String: ReplacementLine] = [:]
        for entry in mapping.entries {
            var words: [String: String] = [:]
            for language in try entry.value.mapping().entries {
                words[language.key] = try spoken(language.value)
            }
            guard words["en"] != nil else { throw .missingKey(at: entry.position, key: "en") }
            lines[entry.key] = ReplacementLine(words: words)
        }
        return lines
    }

    private static func spoken(_ node: YAMLNode) throws(YAMLError) -> String {
        let text = try node.string()
        let isClosed = text.last.map { ".?!".contains($0) } ?? false
        guard isClosed, (1...Turn.maximumWords).contains(WordCount.of(text)) else {
            throw node.invalid("1 to \(Turn.maximumWords) words and closing punctuation")
        }
        return text
    }
}
