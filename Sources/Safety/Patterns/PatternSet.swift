/// Patterns that are searched for together: their phrases in one database, and the programs that join phrases to matches.
struct PatternSet: Sendable {
    /// A run of words that a pattern matches.
    struct Match: Sendable, Equatable {
        /// The pattern, by its place in the set.
        let pattern: Int
        /// Which words.
        let words: Range<Int>
    }

    /// One step of a pattern: a set of phrases by its number, or something that is no phrase.
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
    /// For each phrase of the database, how many words it has.
    private let lengths: [Int]
    /// For each phrase of the database, the sets that it belongs to.
    private let members: SetMembership
    /// The phrases that stand for any number, any amount of money and any long number, where there are such.
    private let amounts: (number: Int?, money: Int?, longNumber: Int?)
    private let programs: [Program]
    /// For each pattern, whether its own words deny something, so that a denial inside a match is meant.
    let denies: [Bool]
    /// For each set of phrases, the patterns that are tried when one of its phrases is found.
    private let programsBySet: [[Int]]

    /// How many hits a text may have in one set of patterns before it counts as an attack.
    private static let mostHits = 60_000

    /// Compiles patterns.
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

    /// Every match, by pattern and then by place; nil when the text has more hits than any speech could have.
    func matches(in text: NormalisedText) -> [Match]? {
        guard !text.words.isEmpty else { return [] }
        guard let hits = database.hits(in: text.scanned, limit: Self.mostHits) else { return nil }
        var found = hits.map { literal(in: text, $0) }
        if !text.numbers.isEmpty || !text.money.isEmpty { found += amounts(in: text) }
        guard mayMatch(found) else { return [] }
        return matches(in: text, PhraseSpans(found, in: text, sets: members))
    }

    private func matches(in text: NormalisedText, _ spans: PhraseSpans) -> [Match] {
        var matches: [Match] = []
        var walk = PatternWalk(spans, in: text)
        for set in spans.sets {
            for place in programsBySet[set] where programs[place].required.allSatisfy(spans.contains) {
                for range in walk.ranges(of: programs[place].steps) {
                    matches.append(Match(pattern: place, words: range))
                }
            }
        }
        return matches
    }

    /// Whether all that some pattern needs was found somewhere, which in most texts is so of none.
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
