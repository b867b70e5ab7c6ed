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
