/// Numbers the distinct phrases and phrase sets of many patterns.
struct Lexicon {
    private(set) var phrases: [PhrasePattern.Phrase] = []
    private(set) var setsOfPhrase: [[Int]] = []
    private var numbers: [PhrasePattern.Phrase: Int] = [:]
    private var sets: [[PhrasePattern.Phrase]: Int] = [:]
    private var members: [[PhrasePattern.Phrase]] = []

    var setCount: Int { members.count }

    mutating func step(_ element: PhrasePattern.Element) -> PatternSet.Step {
        switch element {
        case .phrases(let phrases, let isOptional): .phrases(set(phrases), isOptional: isOptional)
        case .gap(let words): .gap(words)
        case .anyWord(let isOptional): .anyWord(isOptional: isOptional)
        case .boundary: .boundary
        }
    }

    /// The number of a phrase; nil when no pattern has it.
    func number(_ phrase: PhrasePattern.Phrase) -> Int? { numbers[phrase] }

    private mutating func set(_ phrases: [PhrasePattern.Phrase]) -> Int {
        if let known = sets[phrases] { return known }
        let set = members.count
        sets[phrases] = set
        members.append(phrases)
        for phrase in phrases { setsOfPhrase[number(of: phrase)].append(set) }
        return set
    }

    private mutating func number(of phrase: PhrasePattern.Phrase) -> Int {
        if let known = numbers[phrase] { return known }
        numbers[phrase] = phrases.count
        phrases.append(phrase)
        setsOfPhrase.append([])
        return phrases.count - 1
    }

    /// The bytes to search for: a phrase between spaces, or without a final space for a prefix.
    ///
    /// No text contains the marks for amounts, so a search never finds those.
    static func bytes(_ phrase: PhrasePattern.Phrase) -> [UInt8] {
        Array((" " + phrase.words.joined(separator: " ") + (phrase.isPrefix ? "" : " ")).utf8)
    }

    private static let common: Set<String> = [
        "i", "my", "me", "the", "a", "an", "to", "of", "in", "on", "it", "is", "am", "was", "and", "you", "he", "she",
        "they",
        "we", "have", "has", "had", "do", "not", "that", "this", "for", "with", "be", "are", "will", "your", "his",
        "her",
        "at", "up", "so", "said", "says", "told", "get", "got", "go", "feel", "can", "de", "la", "el", "que", "no",
        "me",
        "mi", "un", "una", "en", "y", "se", "lo", "su", "es", "call", "called", "take", "took", "want", "need", "all",
    ]

    /// The expected frequency of a set; a search begins with the rarest.
    func commonness(of set: Int) -> Int {
        members[set].reduce(0) { sum, phrase in
            let isCommon = phrase.words.count == 1 && Self.common.contains(phrase.words[0])
            return sum + (isCommon ? 1000 : phrase.words.count == 1 ? 10 : 1)
        }
    }
}
