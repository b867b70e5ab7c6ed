/// What stands between `{{` and `}}`.
struct TemplateTag: Sendable, Equatable {
    /// What kind of tag it is, by its first sign.
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

    /// What kind of tag it is.
    let kind: Kind
    /// What it says, after the sign.
    let words: TagWords
    /// Where it begins, in bytes of the source.
    let offset: Int
    /// Whether a tilde removes the white space before it.
    let trimsBefore: Bool
    /// Whether a tilde removes the white space after it.
    let trimsAfter: Bool
    /// The white space before a partial that stands alone on its line, which every line of the partial is
    /// given.
    var indent = ""

    init(_ kind: Kind, _ words: TagWords, at offset: Int, _ trimsBefore: Bool, _ trimsAfter: Bool) {
        self.kind = kind
        self.words = words
        self.offset = offset
        self.trimsBefore = trimsBefore
        self.trimsAfter = trimsAfter
    }

    /// Whether a line that holds only this tag leaves no line in the prompt.
    var canStandAlone: Bool { kind != .plain }
}

/// A piece of a template.
enum TemplateToken: Sendable, Equatable {
    case text(String)
    case tag(TemplateTag)
}
