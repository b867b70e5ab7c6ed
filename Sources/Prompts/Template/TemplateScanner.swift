/// Splits a template into text and tags.
///
/// As in Handlebars, a backslash before `{{` makes it text; two backslashes make one backslash before a tag.
struct TemplateScanner {
    private let source: SourceText
    private let end: Int
    private var offset: Int
    private var tokens: [TemplateToken] = []
    private var text: [UInt8] = []

    init(_ source: SourceText, _ range: Range<Int>) {
        self.source = source
        offset = range.lowerBound
        end = range.upperBound
    }

    /// Reads all tokens in order; two texts never follow each other.
    mutating func scan() throws(PromptSourceError) -> [TemplateToken] {
        while offset < end {
            guard stands("{{") else {
                takeByte()
                continue
            }
            if !takeEscape() { try takeTag() }
        }
        flushText()
        return tokens
    }

    private func stands(_ sign: StaticString, at place: Int? = nil) -> Bool {
        let place = place ?? offset
        let length = sign.utf8CodeUnitCount
        guard place + length <= end else { return false }
        return sign.withUTF8Buffer { $0.elementsEqual(source.bytes[place..<place + length]) }
    }

    private mutating func takeByte() {
        text.append(source.bytes[offset])
        offset += 1
    }

    private mutating func flushText() {
        guard !text.isEmpty else { return }
        tokens.append(.text(String(decoding: text, as: UTF8.self)))
        text = []
    }

    /// Takes an escaped `{{` as text up to the next tag or escape.
    private mutating func takeEscape() -> Bool {
        guard text.last == UInt8(ascii: "\\") else { return false }
        text.removeLast()
        guard text.last != UInt8(ascii: "\\") else { return false }
        takeByte()
        takeByte()
        return true
    }

    private mutating func takeTag() throws(PromptSourceError) {
        flushText()
        let start = offset
        try refuseOtherLanguages()
        offset += 2
        let trimsBefore = take("~")
        let tag =
            take("!")
            ? try comment(from: start, trimsBefore)
            : try spoken(from: start, trimsBefore)
        tokens.append(.tag(tag))
    }

    private mutating func take(_ sign: StaticString) -> Bool {
        guard stands(sign) else { return false }
        offset += sign.utf8CodeUnitCount
        return true
    }

    /// Refuses Handlebars signs outside this subset.
    private func refuseOtherLanguages() throws(PromptSourceError) {
        if stands("{{{{") { throw source.error(at: offset, .unsupported("a raw block {{{{")) }
        if stands("{{{") {
            throw source.error(at: offset, .unsupported("{{{: nothing is escaped, so write {{"))
        }
        let inner = stands("{{~") ? offset + 3 : offset + 2
        if stands("&", at: inner) {
            throw source.error(at: offset, .unsupported("{{&: nothing is escaped, so write {{"))
        }
        if stands("^", at: inner) {
            throw source.error(at: offset, .unsupported("{{^: write {{else}} or {{#unless}}"))
        }
        if stands("*", at: inner) || stands("#*", at: inner) {
            throw source.error(at: offset, .unsupported("a decorator"))
        }
        if stands("#>", at: inner) { throw source.error(at: offset, .unsupported("a partial with a block")) }
    }

    private mutating func comment(from start: Int, _ trimsBefore: Bool) throws(PromptSourceError) -> TemplateTag {
        let closings: [(sign: StaticString, trims: Bool)] =
            take("--") ? [("--}}", false), ("--~}}", true)] : [("}}", false), ("~}}", true)]
        while offset < end {
            for closing in closings where take(closing.sign) {
                return TemplateTag(.comment, .none, at: start, trimsBefore, closing.trims)
            }
            offset += 1
        }
        throw source.error(at: start, .unclosedTag)
    }

    private mutating func spoken(from start: Int, _ trimsBefore: Bool) throws(PromptSourceError) -> TemplateTag {
        let sign: TemplateTag.Kind = take("#") ? .open : take("/") ? .close : take(">") ? .partial : .plain
        let range = try tagBody(from: start)
        let trimsAfter =
            range.upperBound > range.lowerBound && source.bytes[range.upperBound - 1] == UInt8(ascii: "~")
        var reader = TagWordReader(source, range.lowerBound..<range.upperBound - (trimsAfter ? 1 : 0))
        let words = try reader.words()
        let kind: TemplateTag.Kind = sign == .plain && words.name == "else" ? .otherwise : sign
        return TemplateTag(kind, words, at: start, trimsBefore, trimsAfter)
    }

    /// The bytes up to the closing braces; braces inside quotes do not count.
    private mutating func tagBody(from start: Int) throws(PromptSourceError) -> Range<Int> {
        let body = offset
        var quote: UInt8?
        while offset < end {
            let byte = source.bytes[offset]
            if quote == nil, stands("}}") {
                if stands("}}}") {
                    throw source.error(at: offset, .unsupported("}}}: put a space before the last }"))
                }
                offset += 2
                return body..<offset - 2
            }
            if quote == nil, stands("{{") { break }
            if byte == quote { quote = nil } else if quote == nil, "\"'".utf8.contains(byte) { quote = byte }
            offset += 1
        }
        throw source.error(at: start, .unclosedTag)
    }
}

/// The content between `{{` and `}}`.
struct TemplateTag: Sendable, Equatable {
    /// The kind of tag by its first sign.
    enum Kind: Sendable, Equatable {
        /// A value or a helper: `{{name}}`, `{{role "user"}}`.
        case plain
        /// `{{#if …}}`.
        case open
        /// `{{/if}}`.
        case close
        /// `{{else}}`, `{{else if …}}`.
        case otherwise
        /// `{{> name}}`.
        case partial
        /// `{{! … }}`, `{{!-- … --}}`.
        case comment
    }

    /// The kind of tag.
    let kind: Kind
    /// The words after the sign.
    let words: TagWords
    /// The tag's offset in the source in bytes.
    let offset: Int
    /// True if a tilde removes the white space before it.
    let trimsBefore: Bool
    /// True if a tilde removes the white space after it.
    let trimsAfter: Bool
    /// The white space before a partial alone on its line, which indents every line of the partial.
    var indent = ""

    init(_ kind: Kind, _ words: TagWords, at offset: Int, _ trimsBefore: Bool, _ trimsAfter: Bool) {
        self.kind = kind
        self.words = words
        self.offset = offset
        self.trimsBefore = trimsBefore
        self.trimsAfter = trimsAfter
    }

    /// True if a line that has only this tag produces no output line.
    var canStandAlone: Bool { kind != .plain }
}

/// A token of a template.
enum TemplateToken: Sendable, Equatable {
    case text(String)
    case tag(TemplateTag)
}
