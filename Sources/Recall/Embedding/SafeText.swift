/// Text that the embedding engine can take without harm.
///
/// Its tokeniser reserves room for four code points per byte before it decomposes characters, and writes
/// beyond it for U+FDFA, the one character of its table with more: 18 code points from 3 bytes. Its strings
/// end at the first NUL.
struct SafeText: Equatable {
    /// The text without the characters that the engine cannot take.
    let string: String

    /// Makes a text safe: U+FDFA becomes the four words that it stands for, NUL a space.
    init(_ text: some StringProtocol) {
        var safe = String.UnicodeScalarView()
        safe.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{FDFA}": safe.append(contentsOf: Self.decomposition)
            case "\0": safe.append(" ")
            default: safe.append(scalar)
            }
        }
        string = String(safe)
    }

    private static let decomposition = "صلى الله عليه وسلم".unicodeScalars
}
