import Runtime

/// Divides a text that arrives in pieces into sentences, each given out once it is certain to be whole.
///
/// A sentence ends at ".", "!", "?" or "…" (with closing quotes or brackets) before a space or the end, or at a line break.
/// A point after an abbreviation, an initial or between digits does not end it. Linear in the text.
package struct SentenceSplitter: Sendable {
    private var pending = ""

    /// Makes a splitter that has read nothing.
    package init() {}

    /// What has been read and is no whole sentence yet.
    package var remainder: String { pending }

    /// Reads a piece and gives out the sentences that are whole now, trimmed, without empty ones.
    package mutating func append(_ piece: String) -> [String] {
        pending += piece
        var sentences: [String] = []
        while let end = Self.firstEnd(in: pending) {
            let sentence = String(pending[..<end]).trimmed
            pending = String(pending[end...])
            if !sentence.isEmpty { sentences.append(sentence) }
        }
        return sentences
    }

    /// The last sentence, at the end of the text; nil when nothing is left.
    package mutating func finish() -> String? {
        let sentence = pending.trimmed
        pending = ""
        return sentence.isEmpty ? nil : sentence
    }

    /// Every sentence of a whole text.
    package static func sentences(of text: String) -> [String] {
        var splitter = SentenceSplitter()
        let whole = splitter.append(text)
        return whole + (splitter.finish().map { [$0] } ?? [])
    }

    /// Where the first sentence ends, once what follows has been seen.
    private static func firstEnd(in text: String) -> String.Index? {
        guard !text.allBytes(satisfy: { !mayEnd($0) }) else { return nil }
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            if isLineBreak(scalar) { return next }
            if isMark(scalar) {
                let end = scalars[next...].firstIndex { !isMark($0) && !isClosing($0) }
                guard let end else { return nil }
                if scalars[end].properties.isWhitespace, scalar != "." || endsSentence(text[..<index]) { return end }
            }
            index = next
        }
        return nil
    }

    private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "!", "?", ".", "…": true
        default: false
        }
    }

    private static func isClosing(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "'", "”", "’", ")": true
        default: false
        }
    }

    /// Whether a byte may belong to what ends a sentence: a sign, a line break, or the first of "…" and of the line breaks
    /// beyond ASCII.
    private static func mayEnd(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"), 0x0A...0x0D, 0xC2, 0xE2: true
        default: false
        }
    }

    private static let abbreviations: Set<String> = [
        "mr", "mrs", "ms", "dr", "st", "sr", "sra", "jr", "vs", "etc", "e.g", "i.e", "no", "approx", "ave",
    ]

    /// Whether a point after this text ends a sentence; "a.m." and "p.m." do not when more follows in the same breath.
    private static func endsSentence(_ before: Substring) -> Bool {
        let scalars = before.unicodeScalars
        guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return true }
        let space = scalars[..<last].lastIndex { $0.properties.isWhitespace }
        let word = before[(space.map(scalars.index(after:)) ?? scalars.startIndex)...last].lowercased()
        if word.count == 1, word.first?.isLetter == true, word != "i", word != "a" { return false }
        return !abbreviations.contains(word) && word != "a.m" && word != "p.m"
    }
}

extension String {
    /// The text without white space at either end.
    var trimmed: String {
        guard !(utf8.first?.isVisible ?? false && utf8.last?.isVisible ?? false) else { return self }
        guard let start = firstIndex(where: { !$0.isWhitespace }), let end = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[start...end])
    }
}

extension UInt8 {
    /// Whether the byte is a visible character of ASCII.
    fileprivate var isVisible: Bool { (0x21..<0x7F).contains(self) }
}
