import Foundation

/// A sentence of a message as the words of its clauses, for recognising questions that the records answer.
struct RecordSentence: Equatable {
    /// The words of each clause, in order; no clause is empty.
    let clauses: [[String]]
    /// True if it has a question mark, before or after it.
    let isAsked: Bool

    /// Returns the sentences of a message that have words.
    static func all(in said: String) -> [RecordSentence] {
        var sentences: [RecordSentence] = []
        var clauses: [[String]] = []
        var isAsked = false
        let scalars = said.unicodeScalars
        var start = scalars.startIndex
        var place = scalars.startIndex
        func endClause() {
            let words = words(of: String(scalars[start..<place]))
            if !words.isEmpty { clauses.append(words) }
            start = place < scalars.endIndex ? scalars.index(after: place) : place
        }
        func endSentence() {
            endClause()
            if !clauses.isEmpty { sentences.append(RecordSentence(clauses: clauses, isAsked: isAsked)) }
            clauses = []
            isAsked = false
        }
        while place < scalars.endIndex {
            let next = scalars.index(after: place)
            var standsAtEnd: Bool { next == scalars.endIndex || !scalars[next].isLetterOrNumber }
            switch scalars[place] {
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
            default: break
            }
            place = next
        }
        endSentence()
        return sentences
    }

    /// Returns the words of a text for comparing questions: without accents, with short forms written out.
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

extension Unicode.Scalar {
    fileprivate var isLetterOrNumber: Bool { properties.isAlphabetic || properties.numericType != nil }
}
