/// Patterns that are searched together: one phrase database and a program for each pattern.
struct PatternSet: Sendable {
    /// A range of words that a pattern matches.
    struct Match: Sendable, Equatable {
        /// The pattern's index in the set.
        let pattern: Int
        /// The matched words.
        let words: Range<Int>
    }

    /// One step of a pattern: a phrase set by its number, or another element.
    enum Step: Sendable {
        case phrases(Int, isOptional: Bool)
        case gap(Int)
        case anyWord(isOptional: Bool)
        case boundary
    }

    private struct Program: Sendable {
        let steps: [Step]
        let required: [Int]
    }

    private let database: PhraseDatabase
    /// The number of words of each phrase in the database.
    private let lengths: [Int]
    /// The sets of each phrase in the database.
    private let members: SetMembership
    /// The phrases for any number, any amount of money and any long number, where patterns use them.
    private let amounts: (number: Int?, money: Int?, longNumber: Int?)
    private let programs: [Program]
    /// True for each pattern whose own words deny something, so that a denial inside a match is intended.
    let denies: [Bool]
    /// The patterns to try for each phrase set when one of its phrases is found.
    private let programsBySet: [[Int]]

    /// The number of hits above which a text counts as an attack.
    private static let maximumHits = 60_000

    init(_ patterns: [PhrasePattern]) throws(PhraseDatabaseError) {
        var lexicon = Lexicon()
        programs = patterns.map { pattern in
            let steps = pattern.elements.map { lexicon.step($0) }
            return Program(steps: steps, required: steps.compactMap(Self.requiredSet))
        }
        denies = patterns.map(\.denies)
        database = try PhraseDatabase(lexicon.phrases.map(Lexicon.bytes))
        amounts = (lexicon.number(.number), lexicon.number(.money), lexicon.number(.longNumber))
        lengths = lexicon.phrases.map(\.words.count)
        members = SetMembership(lexicon.setsOfPhrase)
        var bySet = [[Int]](repeating: [], count: lexicon.setCount)
        for (place, program) in programs.enumerated() {
            if let rarest = program.required.min(by: { lexicon.commonness(of: $0) < lexicon.commonness(of: $1) }) {
                bySet[rarest].append(place)
            }
        }
        programsBySet = bySet
    }

    private static func requiredSet(_ step: Step) -> Int? {
        if case .phrases(let set, false) = step { set } else { nil }
    }

    /// All matches by pattern and place; nil when the text has more hits than speech can have.
    func matches(in text: NormalisedText) -> [Match]? {
        guard !text.words.isEmpty else { return [] }
        guard let hits = database.hits(in: text.scanned, limit: Self.maximumHits) else { return nil }
        var found = hits.map { literal(in: text, $0) }
        if !text.numbers.isEmpty || !text.money.isEmpty { found += amounts(in: text) }
        guard mayMatch(found) else { return [] }
        return matches(in: text, PhraseSpans(found, in: text, sets: members))
    }

    private func matches(in text: NormalisedText, _ spans: PhraseSpans) -> [Match] {
        var matches: [Match] = []
        var walk = PatternMatcher(spans, in: text)
        for set in spans.sets {
            for place in programsBySet[set] where programs[place].required.allSatisfy(spans.contains) {
                for range in walk.ranges(of: programs[place].steps) {
                    matches.append(Match(pattern: place, words: range))
                }
            }
        }
        return matches
    }

    /// Returns true if some pattern's required sets were all found; in most texts none were.
    private func mayMatch(_ found: [(phrase: Int, span: PhraseSpans.Span)]) -> Bool {
        withUnsafeTemporaryAllocation(of: Bool.self, capacity: programsBySet.count) { isFound in
            isFound.initialize(repeating: false)
            for (phrase, _) in found { members.forEachSet(of: phrase) { isFound[$0] = true } }
            return found.contains { phrase, _ in
                members.containsSet(of: phrase) { set in
                    programsBySet[set].contains { programs[$0].required.allSatisfy { isFound[$0] } }
                }
            }
        }
    }

    private func literal(in text: NormalisedText, _ hit: PhraseDatabase.Hit) -> (phrase: Int, span: PhraseSpans.Span) {
        let last = Int(text.wordAtByte[hit.end - 1])
        return (hit.phrase, PhraseSpans.Span(start: last - lengths[hit.phrase] + 1, end: last + 1))
    }

    private func amounts(in text: NormalisedText) -> [(phrase: Int, span: PhraseSpans.Span)] {
        let numbers = amounts.number.map { phrase in text.numbers.map { (phrase, $0) } } ?? []
        let money = amounts.money.map { phrase in text.money.map { (phrase, $0) } } ?? []
        let longNumbers = amounts.longNumber.map { phrase in text.longNumbers.map { (phrase, $0) } } ?? []
        return (numbers + money + longNumbers).map { ($0, PhraseSpans.Span(start: $1.lowerBound, end: $1.upperBound)) }
    }
}

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
