/// A short word with a colour that repeats what the word says.
package struct Badge: Sendable {
    /// What the colour means; the word says it as well.
    package enum Tone: String, Sendable {
        case plain, good, notice, warning, danger
    }

    private let word: String
    private let tone: Tone

    /// Makes a badge.
    package init(_ word: String, _ tone: Tone = .plain) {
        self.word = word
        self.tone = tone
    }

    /// The badge.
    package var html: HTML { "<span class=\"badge \(tone.rawValue)\">\(word)</span>" }
}
