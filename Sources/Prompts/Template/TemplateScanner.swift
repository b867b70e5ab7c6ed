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

    private mutating func comment(
        from start: Int,
        _ trimsBefore: Bool
    ) throws(PromptSourceError) -> TemplateTag {
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

    private mutating func spoken(
        from start: Int,
        _ trimsBefore: Bool
    ) throws(PromptSourceError) -> TemplateTag {
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
