/// Tells a text that says nothing: spaces, control characters and characters without a picture.
///
/// The list stands here in full, and the pattern is made of the same ranges, because regular-expression engines disagree
/// about `\s`.
enum Blank {
    private static let ranges: [ClosedRange<UInt32>] = [
        0x00...0x20, 0x7F...0xA0, 0xAD...0xAD, 0x61C...0x61C, 0x1680...0x1680, 0x180E...0x180E, 0x2000...0x200F,
        0x2028...0x202F, 0x205F...0x206F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ]

    /// A regular expression that finds a character which is not blank.
    static let pattern = "[^\(ranges.map(expression).joined())]"

    /// Whether every character is blank; the empty text is.
    static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { isBlank($0) }
    }

    /// Whether a character is blank.
    static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar.value) }
    }

    private static func expression(_ range: ClosedRange<UInt32>) -> String {
        range.count == 1 ? escape(range.lowerBound) : "\(escape(range.lowerBound))-\(escape(range.upperBound))"
    }

    private static func escape(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
