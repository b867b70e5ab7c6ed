/// Characters that turn the direction of the text behind them (Unicode, UAX 9): with them a line can be made to read as
/// another than it is.
extension String {
    /// The text without them; letters that are written from right to left keep their direction without any.
    package var withoutBidiControls: String {
        guard mayHoldBidiControls else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isBidiControl }))
    }

    /// The text with the name of each in its place, such as `[U+202E]`.
    package var showingBidiControls: String {
        guard mayHoldBidiControls else { return self }
        var shown = ""
        for scalar in unicodeScalars {
            if scalar.isBidiControl {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                shown += "[U+\(String(repeating: "0", count: 4 - digits.count))\(digits)]"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// Whether a byte that begins one is there at all: in most texts none is.
    private var mayHoldBidiControls: Bool { utf8.contains { $0 == 0xD8 || $0 == 0xE2 } }
}

extension Unicode.Scalar {
    fileprivate var isBidiControl: Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
