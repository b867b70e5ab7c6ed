/// The words of a message, in lower case and with straight apostrophes, for comparing with phrases.
package struct SpokenWords: Sendable {
    /// The words, in order.
    package let all: [String]

    /// Reads the words of a text.
    package init(_ text: some StringProtocol) {
        let text = String(text)
        all = WordCount.words(in: text).map { Self.plain(text[$0]) }
    }

    /// Returns a word in lower case with straight apostrophes.
    package static func plain(_ word: Substring) -> String {
        let lower = word.lowercased()
        guard lower.utf8.contains(where: { $0 >= 0x80 }) else { return lower }
        var plain = ""
        for character in lower { plain.append(character == "\u{2019}" ? "'" : character) }
        return plain
    }

    /// Returns whether the words contain one of the phrases.
    package func hold(_ phrases: SpokenPhrases) -> Bool {
        !phrases.found(in: self).isEmpty
    }
}

/// Phrases of whole words that are looked for together, in time that does not grow with their number.
package struct SpokenPhrases: Sendable, Equatable {
    private let phrases: Set<String>
    private let lengths: [Int]

    /// Makes a set of phrases, each in lower case with single spaces.
    package init(_ phrases: some Sequence<String>) {
        self.phrases = Set(phrases)
        lengths = Set(self.phrases.map { WordCount.of($0) }).sorted()
    }

    /// Returns the phrases in the words, in the order of their beginnings.
    package func found(in words: SpokenWords) -> [String] {
        var found: [String] = []
        for start in words.all.indices {
            for length in lengths where start + length <= words.all.count {
                let phrase = words.all[start..<(start + length)].joined(separator: " ")
                if phrases.contains(phrase) { found.append(phrase) }
            }
        }
        return found
    }
}
