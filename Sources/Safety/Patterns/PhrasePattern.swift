/// The wording that a rule searches for, in a small language over words.
///
/// A pattern is a sequence of elements:
///
/// - `fell` a word; `pill*` a word with this beginning; `went down` consecutive words
/// - `(slipped|went down|took a? tumble)` one of several phrases; groups may nest
/// - `{body}` a list of phrases from the pack
/// - `#` a number, `$` an amount of money, `@` a telephone or account number, `_` any one word, `^` the start or end of
///   a sentence
/// - `?` after any of these makes it optional
/// - `~` up to four words between, or the number after it: `~8`. A gap stays within the sentence.
///
/// There is no repetition and no nesting at run time. Matching is therefore bounded by the text's length times the
/// pattern's length.
package struct PhrasePattern: Sendable, Equatable {
    /// A phrase; its last word may be a prefix that matches longer words.
    struct Phrase: Sendable, Hashable {
        var words: [String]
        var isPrefix = false

        /// Any number and any amount of money; found by parsing the words, not by searching.
        static let number = Phrase(words: ["#"])
        static let money = Phrase(words: ["$"])
        /// Any number of at least seven digits: a telephone, an account, a card.
        static let longNumber = Phrase(words: ["@"])

        var isAmount: Bool { self == .number || self == .money || self == .longNumber }
    }

    /// The possible elements of a pattern.
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

    /// Phrase lists by name.
    typealias Lists = [String: [Phrase]]

    let elements: [Element]

    /// Parses a pattern.
    ///
    /// - Throws: ``PatternError`` with the fault.
    init(_ text: String, lists: Lists) throws(PatternError) {
        var reader = PatternReader(text, lists: lists)
        elements = try reader.pattern().map(Self.normalised)
    }

    private static let denials: Set<String> = [
        "not", "no", "never", "without", "nobody", "none", "nothing", "nor", "neither", "hardly", "barely", "stopped",
        "sin",
        "nunca", "nadie", "nada",
    ]

    /// True if the pattern's own words deny something: "can not breathe".
    var denies: Bool {
        elements.contains { element in
            guard case .phrases(let phrases, _) = element else { return false }
            return phrases.contains { $0.words.contains(where: Self.denials.contains) }
        }
    }

    /// Normalises phrases like texts: "can't" becomes "can not".
    private static func normalised(_ element: Element) -> Element {
        guard case .phrases(let phrases, let isOptional) = element else { return element }
        return .phrases(Array(Set(phrases.map(\.normalised))).sorted(), isOptional: isOptional)
    }

    /// Parses the phrases of a list's entry, which has no gaps and no numbers.
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

/// A fault in a pattern.
package enum PatternError: Error, Equatable {
    /// A character that is not allowed, or not at this place.
    case unexpected(Character)
    /// A group or a list's name is not opened or not closed.
    case unbalanced
    /// The pattern is empty, has an empty alternative, or has only optional parts.
    case empty
    /// The pack has no list with this name.
    case unknownList(String)
    /// An element has too many phrases.
    case tooManyPhrases(Int)
    /// The pattern has too many elements.
    case tooManyElements(Int)
}
