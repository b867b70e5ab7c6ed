/// Cuts a text to a number of words at a place where a listener hears it as whole.
///
/// The cut is after the last sentence that fits. When not even the first fits, it is at the last clause boundary (a comma,
/// semicolon, colon or dash, or before a conjunction) that leaves at least four words, and otherwise after the last word
/// that fits. Words that promise more, such as "and", "to" or "the", are taken off the end, and a cut text is closed.
package struct ReplyCap: Sendable, Equatable {
    /// The most words, 1 to 20.
    package let words: Int

    /// Makes a cap; values outside 1 to 20 become the nearest of them.
    package init(words: Int) {
        self.words = min(max(1, words), Turn.maximumWords)
    }

    /// The text within the cap, with closing punctuation; empty when the text has no words.
    package func applied(to text: String) -> String {
        let text = text.trimmed
        let words = WordCount.words(in: text)
        guard let last = words.last else { return "" }
        guard words.count > self.words else { return Self.closed(text, from: last.upperBound) }
        let sentences = wholeSentences(of: text)
        if !sentences.isEmpty { return Self.closed(sentences) }
        return clause(of: text, words)
    }

    /// The sentences that fit, joined; empty when the first alone is too long.
    private func wholeSentences(of text: String) -> String {
        var kept: [String] = []
        var count = 0
        for sentence in SentenceSplitter.sentences(of: text) {
            count += WordCount.of(sentence)
            if count > words { break }
            kept.append(sentence)
        }
        return kept.joined(separator: " ")
    }

    private static let fewestClauseWords = 4

    private func clause(of text: String, _ words: [Range<String.Index>]) -> String {
        let fitting = Array(words.prefix(self.words))
        var end = fitting.count
        for count in stride(from: fitting.count, through: Self.fewestClauseWords, by: -1)
        where isBoundary(text, after: count, words) {
            end = count
            break
        }
        while end > 1, Self.promisesMore(text[words[end - 1]]) { end -= 1 }
        let asks = Self.isQuestion(text[words[0]])
        return String(text[..<words[end - 1].upperBound]).trimmed + (asks ? "?" : ".")
    }

    /// Whether a clause ends after this many words: by what stands between the words, or by the word that follows.
    private func isBoundary(_ text: String, after count: Int, _ words: [Range<String.Index>]) -> Bool {
        guard count < words.count else { return true }
        let between = text[words[count - 1].upperBound..<words[count].lowerBound]
        if between.contains(where: { ",;:–—".contains($0) }) || between.contains(" - ") { return true }
        return Self.conjunctions.contains(text[words[count]].lowercased())
    }

    private static let conjunctions: Set<String> = [
        "and", "but", "or", "so", "because", "while", "when", "if", "although", "though", "unless", "until", "which",
        "y", "pero", "o", "porque", "cuando", "si", "aunque",
    ]

    private static let openWords: Set<String> = [
        "a", "an", "the", "and", "or", "but", "so", "to", "of", "for", "from", "with", "in", "on", "at", "by", "as",
        "if",
        "that", "which", "who", "because", "while", "when", "than", "my", "your", "his", "her", "our", "their", "its",
        "is", "are", "was", "were", "be", "will", "would", "can", "could", "should", "may", "might", "very", "about",
        "into", "like", "also", "this", "these", "those", "not", "i'm", "you're", "we're", "it's", "i'll", "let's",
        "el", "la", "los", "las", "un", "una", "y", "o", "pero", "de", "del", "a", "al", "en", "con", "por", "para",
        "que",
        "su", "mi", "tu", "es", "son", "como", "si",
    ]

    private static func promisesMore(_ word: Substring) -> Bool {
        openWords.contains(SpokenWords.plain(word))
    }

    private static let questionWords: Set<String> = [
        "what", "when", "where", "who", "why", "how", "do", "does", "did", "is", "are", "can", "could", "would", "will",
        "shall", "should", "have", "has",
    ]

    private static func isQuestion(_ word: Substring) -> Bool {
        questionWords.contains(word.lowercased())
    }

    /// The text with what stands after its last word made to close it.
    private static func closed(_ text: String, from end: String.Index? = nil) -> String {
        guard let end = end ?? WordCount.words(in: text).last?.upperBound else { return "" }
        let tail = text[end...]
        if let mark = tail.first(where: { ".!?…".contains($0) }) {
            return tail.last == mark || "\"'”’)".contains(tail.last ?? " ") ? text : String(text[..<end]) + String(mark)
        }
        return String(text[..<end]) + "."
    }
}
