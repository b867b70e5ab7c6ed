/// What was said, as plain lower-case words, each with its place in the original.
package struct NormalisedText: Sendable, Equatable {
    /// What divides a word from the one before it, from the weakest to the strongest.
    package enum Boundary: Int, Sendable, Comparable {
        case none, comma, stop, question

        package static func < (left: Boundary, right: Boundary) -> Bool { left.rawValue < right.rawValue }

        /// Whether a sentence ends here.
        package var endsSentence: Bool { self >= .stop }
    }

    /// One word.
    package struct Word: Sendable, Equatable {
        /// The word: letters of `a` to `z`, digits, and letters of scripts that have no Latin form.
        package var text: String
        /// Where it stands in the original, in UTF-8 bytes.
        package var origin: Range<Int>
        /// What divides it from the word before.
        package var before: Boundary
    }

    /// The words, in order.
    package let words: [Word]
    /// What stands after the last word.
    package let end: Boundary
    /// The words as they are scanned: each with one space on either side, and no punctuation.
    let scanned: [UInt8]
    /// For each byte of `scanned`, the word that it belongs to; a space belongs to the word before it.
    let wordAtByte: [Int32]
    /// For each word, which sentence it is in, from 0.
    package let sentences: [Int]
    /// For each sentence, whether it closes with a question mark.
    package let asks: [Bool]

    /// The words that are numbers.
    let numbers: [Range<Int>]
    /// The words that are amounts of money.
    let money: [Range<Int>]

    /// The words that are numbers of seven digits or more.
    let longNumbers: [Range<Int>]

    init(words: [Word], end: Boundary) {
        self.words = words
        numbers = words.indices.filter { SpokenAmount.isNumber(words[$0].text) }.map { $0..<($0 + 1) }
        money = SpokenAmount.money(in: words)
        longNumbers = numbers.filter { SpokenAmount.isLong(words[$0.lowerBound].text) }
        self.end = end
        var scanned: [UInt8] = [UInt8(ascii: " ")]
        var wordAtByte: [Int32] = [0]
        var sentences: [Int] = []
        var asks: [Bool] = []
        for (place, word) in words.enumerated() {
            if place > 0, word.before.endsSentence { asks.append(word.before == .question) }
            sentences.append(asks.count)
            scanned.append(contentsOf: word.text.utf8)
            scanned.append(UInt8(ascii: " "))
            wordAtByte.append(contentsOf: repeatElement(Int32(place), count: word.text.utf8.count + 1))
        }
        self.scanned = scanned
        self.wordAtByte = wordAtByte
        self.sentences = sentences
        self.asks = asks + [end == .question]
    }

    /// The words with their punctuation; normalising it again changes nothing.
    package var text: String {
        var text = ""
        for (place, word) in words.enumerated() {
            if place > 0 { text += word.before.mark + " " }
            text += word.text
        }
        return words.isEmpty ? "" : text + end.mark
    }

    /// Where words stand in the original, in UTF-8 bytes; an empty range of words has an empty range of bytes.
    package func origin(of range: Range<Int>) -> Range<Int> {
        guard let first = range.first, let last = range.last else { return 0..<0 }
        return words[first].origin.lowerBound..<max(words[first].origin.upperBound, words[last].origin.upperBound)
    }
}

extension NormalisedText.Boundary {
    fileprivate var mark: String {
        switch self {
        case .none: ""
        case .comma: ","
        case .stop: "."
        case .question: "?"
        }
    }
}
