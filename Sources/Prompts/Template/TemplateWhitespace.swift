/// Removes the white space that belongs to tags, as Handlebars does.
///
/// A tilde removes all white space on its side. A block tag, a comment or a partial alone on its line removes the line.
struct TemplateWhitespace {
    private let tokens: [TemplateToken]

    init(_ tokens: [TemplateToken]) {
        self.tokens = tokens
    }

    /// The tokens with trimmed texts; empty texts are dropped.
    func trimmed() -> [TemplateToken] {
        tokens.indices.compactMap { index in
            switch tokens[index] {
            case .text(let text):
                let cut = trimmed(text, at: index)
                return cut.isEmpty ? nil : .text(cut)
            case .tag(var tag):
                if tag.kind == .partial, standsAlone(index) { tag.indent = indent(before: index) }
                return .tag(tag)
            }
        }
    }

    private func trimmed(_ text: String, at index: Int) -> String {
        var bytes = Array(text.utf8)[...]
        if let tag = tag(at: index + 1) {
            if tag.trimsBefore {
                bytes = bytes.droppingLast(while: \.isBlank)
            } else if standsAlone(index + 1) {
                bytes = bytes.droppingLast(while: \.isInlineBlank)
            }
        }
        if let tag = tag(at: index - 1) {
            if tag.trimsAfter {
                bytes = bytes.drop(while: \.isBlank)
            } else if standsAlone(index - 1) {
                bytes = bytes.droppingLine()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func tag(at index: Int) -> TemplateTag? {
        guard tokens.indices.contains(index), case .tag(let tag) = tokens[index] else { return nil }
        return tag
    }

    /// The text at an index; nil for a tag, empty beyond either end.
    private func text(at index: Int) -> String? {
        guard tokens.indices.contains(index) else { return "" }
        guard case .text(let text) = tokens[index] else { return nil }
        return text
    }

    private func standsAlone(_ index: Int) -> Bool {
        guard let tag = tag(at: index), tag.canStandAlone else { return false }
        return isBlankBefore(index) && isBlankAfter(index)
    }

    private func isBlankBefore(_ index: Int) -> Bool {
        guard let text = text(at: index - 1) else { return false }
        let lineEnd = text.utf8.lastIndex(of: UInt8(ascii: "\n"))
        guard lineEnd != nil || index <= 1 else { return false }
        let line = lineEnd.map { text.utf8[text.utf8.index(after: $0)...] } ?? text.utf8[...]
        return line.allSatisfy(\.isBlank)
    }

    private func isBlankAfter(_ index: Int) -> Bool {
        guard let text = text(at: index + 1) else { return false }
        let lineEnd = text.utf8.firstIndex(of: UInt8(ascii: "\n"))
        guard lineEnd != nil || index + 2 >= tokens.count else { return false }
        return text.utf8[..<(lineEnd ?? text.utf8.endIndex)].allSatisfy(\.isBlank)
    }

    /// The blanks before a partial alone on its line, unless a tilde removes them.
    private func indent(before index: Int) -> String {
        guard let text = text(at: index - 1), tag(at: index)?.trimsBefore == false else { return "" }
        let takenByTilde = tag(at: index - 2)?.trimsAfter == true && text.utf8.allSatisfy(\.isBlank)
        return takenByTilde ? "" : String(text.reversed().prefix { $0 == " " || $0 == "\t" }.reversed())
    }
}

extension UInt8 {
    /// True if the byte is a space or a tab.
    fileprivate var isInlineBlank: Bool { self == 0x20 || self == 0x09 }
}

extension ArraySlice<UInt8> {
    fileprivate func droppingLast(while condition: (UInt8) -> Bool) -> Self {
        guard let last = lastIndex(where: { !condition($0) }) else { return self[startIndex..<startIndex] }
        return self[...last]
    }

    /// The bytes without the rest of the line on which the previous tag ends, if that rest is blank.
    fileprivate func droppingLine() -> Self {
        let rest = drop(while: \.isInlineBlank)
        let unreturned = rest.first == UInt8(ascii: "\r") ? rest.dropFirst() : rest
        return unreturned.first == UInt8(ascii: "\n") ? unreturned.dropFirst() : rest
    }
}
