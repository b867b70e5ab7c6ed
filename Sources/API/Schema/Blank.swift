/// Detects blank text: only spaces, control characters and invisible characters.
///
/// The list is complete here and also generates the pattern, because regular-expression engines disagree about `\s`.
enum Blank {
    private static let ranges: [ClosedRange<UInt32>] = [
        0x00...0x20, 0x7F...0xA0, 0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x115F...0x1160, 0x1680...0x1680,
        0x17B4...0x17B5, 0x180B...0x180F, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F, 0x2800...0x2800,
        0x3000...0x3000, 0x3164...0x3164, 0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF0...0xFFFB,
        0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF,
    ]

    /// A regular expression that finds a non-blank character.
    static let pattern = "[^\(ranges.map(expression).joined())]"

    /// Returns true when every character is blank, or the text is empty.
    static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { isBlank($0) }
    }

    /// Returns true when the character is blank.
    static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar.value) }
    }

    private static func expression(_ range: ClosedRange<UInt32>) -> String {
        range.count == 1 ? escape(range.lowerBound) : "\(escape(range.lowerBound))-\(escape(range.upperBound))"
    }

    /// Escapes a character for the pattern; writes one with more than four digits itself, because engines' escapes
    /// differ.
    private static func escape(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        guard digits.count <= 4 else { return Unicode.Scalar(value).map(String.init) ?? "" }
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
