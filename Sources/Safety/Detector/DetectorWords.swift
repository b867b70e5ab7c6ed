/// The words that a detector reads in a text: runs of plain letters and digits, and the marks ? ! $ @ % as words.
///
/// A letter that is said three times or more in a row is read twice, a number of more than three digits as so many zeros.
struct DetectorWords: Sendable, Equatable {
    /// How many characters of a text are read.
    static let longestText = 4000
    /// How many letters of a word are read.
    static let longestWord = 24

    /// The words' letters, one after the other.
    private(set) var letters: [UInt8] = []
    /// Where each word ends among the letters.
    private(set) var ends: [Int] = []
    private var start = 0
    private var run = 0

    /// Reads a text.
    init(_ text: String) {
        letters.reserveCapacity(min(text.utf8.count, Self.longestText))
        ends.reserveCapacity(text.utf8.count / 4)
        for scalar in text.unicodeScalars.prefix(Self.longestText) {
            switch FoldedLetter.reading(of: scalar.value) {
            case .letter(let letter): take(letter)
            case .nothing: continue
            case .divider: closeWord()
            case .mark(let mark):
                closeWord()
                letters.append(mark)
                ends.append(letters.count)
                start = letters.count
            }
        }
        closeWord()
    }

    /// The places of a word's letters.
    func place(_ word: Int) -> Range<Int> { (word == 0 ? 0 : ends[word - 1])..<ends[word] }

    /// A word as it is read.
    func word(_ word: Int) -> String { String(decoding: letters[place(word)], as: UTF8.self) }

    private mutating func take(_ letter: UInt8) {
        run = letters.count > start && letters[letters.count - 1] == letter ? run + 1 : 1
        guard letter <= UInt8(ascii: "9") || run <= 2, letters.count - start < Self.longestWord else { return }
        letters.append(letter)
    }

    private mutating func closeWord() {
        defer { (start, run) = (letters.count, 0) }
        let count = letters.count - start
        guard count > 0 else { return }
        if count > 3, letters[start...].allSatisfy({ $0 <= UInt8(ascii: "9") }) {
            letters.removeLast(max(0, count - 8))
            for place in start..<letters.count { letters[place] = UInt8(ascii: "0") }
        }
        ends.append(letters.count)
    }
}
