/// Removes and shows characters that change the direction of text (Unicode, UAX 9).
///
/// They can make a line read as another than it is.
extension String {
    /// The text without bidirectional controls; letters of right-to-left scripts keep their direction.
    package var withoutBidiControls: String {
        guard mayHoldBidiControls else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isBidiControl }))
    }

    /// The text with the name of each control in its place, such as `[U+202E]`.
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

    /// True if the text has a byte that begins a control; most texts have none.
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
