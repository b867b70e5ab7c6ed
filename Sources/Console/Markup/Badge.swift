/// A short coloured word.
///
/// The colour repeats what the word says.
package struct Badge: Sendable {
    /// Meaning of the colour.
    package enum Tone: String, Sendable {
        case plain, good, notice, warning, danger
    }

    private let word: String
    private let tone: Tone

    package init(_ word: String, _ tone: Tone = .plain) {
        self.word = word
        self.tone = tone
    }

    /// The badge as markup.
    package var html: HTML { "<span class=\"badge \(tone.rawValue)\">\(word)</span>" }
}
