/// Text that the embedding engine can read safely.
///
/// The engine's tokeniser reserves four code points per byte before it decomposes characters. U+FDFA needs more: 18
/// code points from 3 bytes, and would overflow. Its strings end at the first NUL.
struct SafeText: Equatable {
    /// The text without the characters that the engine cannot take.
    let string: String

    /// Makes a text safe: replaces U+FDFA by the four words it stands for, and NUL by a space.
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
