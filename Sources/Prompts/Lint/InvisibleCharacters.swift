/// Characters that a reviewer does not see and a model reads.
enum InvisibleCharacters {
    /// Every place of one in a source, with the character.
    static func places(in source: SourceText) -> [(SourcePosition, Unicode.Scalar)] {
        var places: [(SourcePosition, Unicode.Scalar)] = []
        var line = 1
        var column = 1
        for scalar in String(decoding: source.bytes, as: UTF8.self).unicodeScalars {
            if isInvisible(scalar) { places.append((SourcePosition(line: line, column: column), scalar)) }
            (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
        }
        return places
    }

    /// Control and format characters, blanks that look like a space or like nothing, and tags; a line's end
    /// and a tab are none.
    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\r", "\t", " ": false
        case "\u{115F}", "\u{1160}", "\u{3164}", "\u{FFA0}", "\u{2800}": true
        case "\u{FE00}"..."\u{FE0E}", "\u{E0100}"..."\u{E01EF}": true
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .privateUse,
                .unassigned:
                true
            default: false
            }
        }
    }
}
