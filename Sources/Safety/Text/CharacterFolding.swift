import Foundation

/// Folds one character to its plain form.
///
/// It applies Unicode compatibility decomposition and lower case, and removes accents. Look-alikes from other scripts
/// become Latin letters.
enum CharacterFolding {
    /// The folded scalars; none for an invisible character.
    static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        if let known = table[scalar.value] { return known }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .surrogate, .privateUse, .unassigned: return []
        case .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: return [" "]
        default: return scalar.properties.isVariationSelector ? [] : lowercased(scalar)
        }
    }

    /// The blocks whose compatibility forms are Latin letters, digits, punctuation or spaces.
    private static let blocks: [ClosedRange<UInt32>] = [
        0xA0...0x24F, 0x1D00...0x1DBF, 0x1E00...0x1EFF, 0x2000...0x218F, 0x2460...0x24FF, 0x3000...0x3003,
        0xFB00...0xFB06, 0xFF00...0xFF5E, 0x1D400...0x1D7FF, 0x1F100...0x1F1AD,
    ]

    private static let table: [UInt32: [Unicode.Scalar]] = {
        var table: [UInt32: [Unicode.Scalar]] = [:]
        for value in blocks.joined() {
            guard let scalar = Unicode.Scalar(value) else { continue }
            table[value] = decomposed(scalar)
        }
        var twins: [UInt32: [Unicode.Scalar]] = [:]
        for (plain, alike) in lookalikes {
            for twin in alike.unicodeScalars { twins[twin.value] = Array(plain.unicodeScalars) }
        }
        table = table.mapValues { $0.flatMap { twins[$0.value] ?? [$0] } }
        return table.merging(twins) { _, twin in twin }
    }()

    private static func decomposed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let plain = String(scalar).decomposedStringWithCompatibilityMapping.lowercased()
        return plain.unicodeScalars.compactMap { part in
            switch part.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format, .unassigned: nil
            case .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: " "
            default: part
            }
        }
    }

    private static func lowercased(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let lower = Array(scalar.properties.lowercaseMapping.unicodeScalars)
        guard lower.count == 1, lower[0] != scalar else { return [scalar] }
        return table[lower[0].value] ?? lower
    }

    /// Look-alike characters: marks first, then letters of Cyrillic, Greek, Armenian and Cherokee.
    private static let lookalikes: [(plain: String, twins: String)] = [
        (
            "'",
            "\u{2018}\u{2019}\u{201A}\u{201B}\u{2032}\u{2035}\u{02B9}\u{02BB}\u{02BC}\u{02BD}\u{02C8}\u{FF07}`´\u{1FBD}"
        ),
        ("\"", "\u{201C}\u{201D}\u{201E}\u{201F}\u{2033}\u{2036}\u{AB}\u{BB}\u{FF02}"),
        ("-", "\u{2010}\u{2011}\u{2012}\u{2212}\u{FE58}\u{FE63}\u{FF0D}\u{2043}"),
        (";", "\u{2013}\u{2014}\u{2015}\u{FE31}\u{FE32}\u{37E}"),
        ("$", "\u{20AC}\u{A3}\u{A5}\u{20B9}\u{20BD}\u{FF04}"),
        ("/", "\u{2044}\u{2215}"),
        ("a", "аɑαАΑᎪ\u{251}"), ("b", "ВвβΒЬьᏴ"), ("c", "сСϲⅽᏟ"), ("d", "ԁԀᏧⅾ"), ("e", "еЕεΕєЄᎬё"), ("f", "ƒϜ"),
        ("g", "ɡԌԍᏀ"), ("h", "һҺНнΗᎻ"), ("i", "іІιΙıїЇӀᎥ"), ("j", "јЈᎫ"), ("k", "кКκΚᏦ"), ("l", "ⅼӏᏞ"),
        ("m", "мМΜᎷ"), ("n", "ոΝη"), ("o", "оОοΟσօՕᏅ"), ("p", "рРρΡᏢ"), ("q", "ԛԚ"), ("r", "гᎡ"),
        ("s", "ѕЅՏᏚ"), ("t", "тТτΤᎢ"), ("u", "υսՍц"), ("v", "νѵѴᏙ"), ("w", "ԝԜωᎳ"), ("x", "хХχΧ"),
        ("y", "уУγΥүҮᎩ"), ("z", "ΖᏃ"),
    ]
}
