/// Counts words as a listener hears them.
///
/// A word is a run of letters and digits. An apostrophe inside it joins ("don't" is one), and so does a point, comma or
/// colon between digits ("3.50", "8:30"); a sign such as "$" or "%" beside digits is no word of its own. A hyphen divides,
/// as in Unicode word segmentation (UAX #29). An ampersand is heard as "and". What is not heard, such as a dash that
/// stands alone, is no word. Each ideograph counts, since no space divides them. Linear in the text.
package enum WordCount {
    /// How many words a text has.
    package static func of(_ text: some StringProtocol) -> Int {
        words(in: String(text)).count
    }

    /// Where the words of a text are, in order.
    package static func words(in text: String) -> [Range<String.Index>] {
        var words: [Range<String.Index>] = []
        var start: String.Index?
        var previous: Character?
        for index in text.indices {
            let character = text[index]
            if isIdeograph(character) {
                close(&start, at: index, into: &words)
                words.append(index..<text.index(after: index))
            } else if isHeard(character) || (start != nil && joins(character, after: previous, at: index, in: text)) {
                start = start ?? index
            } else {
                close(&start, at: index, into: &words)
            }
            previous = character
        }
        close(&start, at: text.endIndex, into: &words)
        return words
    }

    private static func close(
        _ start: inout String.Index?,
        at end: String.Index,
        into words: inout [Range<String.Index>]
    ) {
        if let begun = start { words.append(begun..<end) }
        start = nil
    }

    private static func isHeard(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "&"
    }

    private static func isIdeograph(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        return scalar.properties.isIdeographic || (0x3040...0x30FF).contains(scalar.value)
    }

    private static func joins(
        _ character: Character,
        after previous: Character?,
        at index: String.Index,
        in text: String
    ) -> Bool {
        guard let previous, let next = text[index...].dropFirst().first else { return false }
        switch character {
        case "'", "\u{2019}": return previous.isLetter && next.isLetter
        case ".", ",", ":": return previous.isNumber && next.isNumber
        default: return false
        }
    }
}
