import Foundation

/// A sentence of what was said, as the words of its clauses, for reading questions that belong to the records.
struct RecordSentence: Equatable {
    /// The words of each clause, in order; no clause is empty.
    let clauses: [[String]]
    /// Whether it has a question mark, before or after it.
    let isAsked: Bool

    /// The sentences of a message that have words.
    static func all(in said: String) -> [RecordSentence] {
        var sentences: [RecordSentence] = []
        var clauses: [[String]] = []
        var clause = ""
        var isAsked = false
        func endClause() {
            let words = words(of: clause)
            if !words.isEmpty { clauses.append(words) }
            clause = ""
        }
        func endSentence() {
            endClause()
            if !clauses.isEmpty { sentences.append(RecordSentence(clauses: clauses, isAsked: isAsked)) }
            clauses = []
            isAsked = false
        }
        var rest = said[...]
        while let character = rest.popFirst() {
            let standsAtEnd = rest.first.map { !$0.isLetter && !$0.isNumber } ?? true
            switch character {
            case "?":
                isAsked = true
                endSentence()
            case "¿":
                endSentence()
                isAsked = true
            case "!", "¡", "…", "\n": endSentence()
            case "." where standsAtEnd: endSentence()
            case ";", "—", "–": endClause()
            case "," where standsAtEnd, ":" where standsAtEnd: endClause()
            default: clause.append(character)
            }
        }
        endSentence()
        return sentences
    }

    /// The words of a text as questions are compared: without accents, and with short forms written out.
    static func words(of text: String) -> [String] {
        SpokenWords(text).all.flatMap { word in
            let plain =
                word.utf8.allSatisfy { $0 < 0x80 } ? word : word.folding(options: .diacriticInsensitive, locale: nil)
            return shortForms[plain] ?? [plain]
        }
    }

    private static let shortForms: [String: [String]] = [
        "what's": ["what", "is"], "whats": ["what", "is"], "when's": ["when", "is"], "whens": ["when", "is"],
        "i've": ["i", "have"], "i'm": ["i", "am"], "i'd": ["i", "would"], "it's": ["it", "is"], "didnt": ["didn't"],
        "dont": ["don't"], "cant": ["can't"],
    ]
}
