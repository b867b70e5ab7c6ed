/// Values by plain words; most absent words are rejected without computing their hash.
///
/// A text looks up each of its words in a dozen such tables and rarely finds one. Length and first byte reject nearly
/// all absent words, in some ten instructions instead of two hundred. The keys are ASCII, so that equal words have
/// equal bytes.
package struct WordTable<Value: Sendable>: Sendable {
    private let values: [String: Value]
    /// A bit for each first byte, modulo 32, of the words of a length.
    private let beginnings: [UInt32]

    /// Makes a table; every key is ASCII.
    package init(_ values: [String: Value]) {
        var beginnings = [UInt32](repeating: 0, count: 1 + (values.keys.map(\.utf8.count).max() ?? 0))
        for word in values.keys {
            precondition(word.utf8.allSatisfy { $0 < 0x80 }, "\(word) is not ASCII")
            beginnings[word.utf8.count] |= Self.bit(of: word)
        }
        self.values = values
        self.beginnings = beginnings
    }

    /// The value of a word; nil when the table lacks the word.
    package subscript(word: String) -> Value? {
        let length = word.utf8.count
        guard length < beginnings.count, beginnings[length] & Self.bit(of: word) != 0 else { return nil }
        return values[word]
    }

    /// The bit of a word's first byte.
    private static func bit(of word: String) -> UInt32 {
        word.utf8.first.map { 1 << UInt32($0 & 31) } ?? 1
    }
}

extension WordTable where Value == Void {
    /// A set of words.
    package init(words: [String]) {
        self.init(Dictionary(words.map { ($0, ()) }) { first, _ in first })
    }

    /// Returns true if the set has a word.
    package func contains(_ word: String) -> Bool { self[word] != nil }
}
