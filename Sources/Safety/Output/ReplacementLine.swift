package import Conversation
import YAML

/// A line of ours that takes the place of a model's reply, in each language.
package struct ReplacementLine: Sendable, Equatable {
    /// The words by language; every line has English.
    package let words: [String: String]

    /// The line as a reply; English where it has no words of that language.
    package func reply(in language: String, id: String) -> CannedReply {
        CannedReply(text: words[language] ?? words["en"] ?? "", ids: [id])
    }

    /// Reads lines and holds them to what a listener can take in: 1 to 20 words, with closing punctuation.
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
