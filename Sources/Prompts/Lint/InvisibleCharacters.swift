/// Finds characters that a reviewer cannot see but a model reads.
enum InvisibleCharacters {
    /// All invisible characters of a source with their positions.
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

    /// Returns true for control and format characters, unusual blanks and tags.
    ///
    /// Line ends and tabs are allowed.
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
