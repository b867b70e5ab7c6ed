import Foundation

/// A word of a sentence that may be a name: of a person, a place, a medicine.
struct ExactWord: Equatable {
    /// The word as the patient wrote it.
    let text: String
    /// True if the word is written as a name: with a capital, and not at the beginning of a sentence.
    let isName: Bool

    /// The greatest number of words that are looked up for a sentence.
    static let most = 12

    /// Returns the words of a sentence that may be names, certain names first, each once, at most ``most``.
    ///
    /// Words are runs of letters and digits, as in the word index. Everyday words and words of one or two letters are
    /// left out. A certain name may be any word of two letters or more.
    static func words(in sentence: String) -> [ExactWord] {
        var seen: Set<String> = []
        let words = allWords(in: sentence).filter { $0.mayName && seen.insert($0.text.lowercased()).inserted }
        return Array((words.filter(\.isName) + words.filter { !$0.isName }).prefix(most))
    }

    /// Returns the number of a patient's memories in which the word may occur and still count as rare.
    ///
    /// The limit is one memory in fifty, and at least two; for names one in ten, and at least four.
    func rareLimit(among memories: Int) -> Int {
        isName ? max(4, memories / 10) : max(2, memories / 50)
    }

    /// Returns the weight of a word that `holders` of so many memories contain; rarer words weigh more.
    ///
    /// `log((n + 1) / (k + ½))`, the inverse document frequency of Robertson and Spärck Jones, 1976.
    static func weight(in holders: Int, among memories: Int) -> Double {
        log((Double(memories) + 1) / (Double(holders) + 0.5))
    }

    private var mayName: Bool {
        if isName { return text.count >= 2 }
        return (text.count >= 3 || text.contains(where: \.isNumber)) && !EverydayWords.contain(text)
    }

    private static func allWords(in sentence: String) -> [ExactWord] {
        var words: [ExactWord] = []
        var beginsSentence = true
        var rest = sentence.unicodeScalars[...]
        while let scalar = rest.first {
            guard scalar.beginsWord else {
                if scalar.endsSentence { beginsSentence = true }
                rest.removeFirst()
                continue
            }
            let word = rest.prefix(while: \.continuesWord)
            words.append(ExactWord(text: String(word), isName: scalar.properties.isUppercase && !beginsSentence))
            beginsSentence = false
            rest = rest[word.endIndex...]
        }
        return words
    }
}

extension Unicode.Scalar {
    /// True if the scalar is a letter or a number.
    fileprivate var beginsWord: Bool {
        switch value {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0..<0x80: false
        default: properties.isAlphabetic || properties.numericType != nil
        }
    }

    /// True if the scalar continues a word: a letter, a number, or a combining accent.
    fileprivate var continuesWord: Bool {
        beginsWord || value >= 0x300 && properties.canonicalCombiningClass != .notReordered
    }

    fileprivate var endsSentence: Bool {
        switch self {
        case ".", "!", "?", "…", "¡", "¿", ":", "\n": true
        default: false
        }
    }
}
