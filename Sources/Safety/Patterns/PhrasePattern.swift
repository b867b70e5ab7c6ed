/// What a rule looks for, in a small language over words.
///
/// A pattern is a row of elements, each of which must follow the one before it:
///
/// - `fell` a word; `pill*` a word that begins so; `went down` words in a row
/// - `(slipped|went down|took a? tumble)` one of several phrases; they may nest
/// - `{body}` a list of phrases from the pack
/// - `#` a number, `$` an amount of money, `@` a telephone or account number, `_` any one word, `^` the beginning or the end of a sentence
/// - `?` after any of these: it may be missing
/// - `~` up to four words between, or as many as the digits after it say: `~8`. A gap never leaves the sentence.
///
/// There is no repetition and no nesting at run time, so that matching is bounded by the length of the text times the
/// length of the pattern, whoever wrote them.
package struct PhrasePattern: Sendable, Equatable {
    /// A phrase: its words, the last of which may stand for every word that begins with it.
    struct Phrase: Sendable, Hashable {
        var words: [String]
        var isPrefix = false

        /// Any number, and any amount of money: found by reading, not by searching.
        static let number = Phrase(words: ["#"])
        static let money = Phrase(words: ["$"])
        /// Any number of seven digits or more: a telephone, an account, a card.
        static let longNumber = Phrase(words: ["@"])

        var isAmount: Bool { self == .number || self == .money || self == .longNumber }
    }

    /// What may stand at one place.
    enum Element: Sendable, Equatable {
        case phrases([Phrase], isOptional: Bool)
        case gap(Int)
        case anyWord(isOptional: Bool)
        case boundary

        var isGap: Bool {
            if case .gap = self { true } else { false }
        }

        var isOptional: Bool {
            switch self {
            case .phrases(_, let isOptional), .anyWord(let isOptional):
                isOptional
            case .gap, .boundary: false
            }
        }
    }

    /// Phrases by the name of their list.
    typealias Lists = [String: [Phrase]]

    let elements: [Element]

    /// Reads a pattern.
    ///
    /// - Throws: ``PatternError`` with what is wrong in it.
    init(_ text: String, lists: Lists) throws(PatternError) {
        var reader = PatternReader(text, lists: lists)
        elements = try reader.pattern().map(Self.normalised)
    }

    private static let denials: Set<String> = [
        "not", "no", "never", "without", "nobody", "none", "nothing", "nor", "neither", "hardly", "barely", "stopped",
        "sin",
        "nunca", "nadie", "nada",
    ]

    /// Whether the pattern's own words deny something: "can not breathe".
    var denies: Bool {
        elements.contains { element in
            guard case .phrases(let phrases, _) = element else { return false }
            return phrases.contains { $0.words.contains(where: Self.denials.contains) }
        }
    }

    /// Phrases are written as people write, "can't", and searched for as texts are normalised, "can not".
    private static func normalised(_ element: Element) -> Element {
        guard case .phrases(let phrases, let isOptional) = element else { return element }
        return .phrases(Array(Set(phrases.map(\.normalised))).sorted(), isOptional: isOptional)
    }

    /// Reads the phrases of a list's entry, which has no gaps and no numbers.
    static func phrases(_ text: String, lists: Lists) throws(PatternError) -> [Phrase] {
        var reader = PatternReader(text, lists: lists)
        return try reader.phrasesOnly()
    }
}

extension PhrasePattern.Phrase: Comparable {
    static func < (left: Self, right: Self) -> Bool { left.words.lexicographicallyPrecedes(right.words) }

    fileprivate var normalised: Self {
        guard !isPrefix, !isAmount else { return self }
        return Self(words: Normaliser().normalise(words.joined(separator: " ")).words.map(\.text))
    }
}

/// What is wrong with a pattern.
package enum PatternError: Error, Equatable {
    /// A character that patterns do not have, or not here.
    case unexpected(Character)
    /// A group or a list's name is not closed, or closed without being opened.
    case unbalanced
    /// The pattern is empty, has an empty alternative, or only parts that may be missing.
    case empty
    /// The pack has no list of this name.
    case unknownList(String)
    /// One place of the pattern stands for more phrases than are allowed.
    case tooManyPhrases(Int)
    /// The pattern has more elements than are allowed.
    case tooManyElements(Int)
}
