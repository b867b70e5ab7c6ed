package import Conversation

/// One part of a parsed template.
package indirect enum TemplateNode: Sendable, Equatable {
    /// What the author wrote.
    case text(String)
    /// `{{name}}`.
    case value(TemplateReference)
    /// `{{json name indent=2}}`.
    case json(TemplateReference, indent: Int)
    /// `{{role "user"}}`: a message begins.
    case role(Prompt.Message.Role, SourcePosition)
    /// `{{history}}`: the earlier messages stand here.
    case history(SourcePosition)
    /// `{{section "name"}}`, with no content, or `{{#section "name"}}…{{/section}}`.
    case section(String, [TemplateNode], SourcePosition)
    /// `{{#if …}}`, `{{#unless …}}`, `{{#ifEquals …}}`, `{{#unlessEquals …}}`.
    case choice(TemplateCondition, then: [TemplateNode], otherwise: [TemplateNode])
    /// `{{#each …}}`.
    case each(TemplateReference, body: [TemplateNode], otherwise: [TemplateNode])
    /// `{{> name}}`.
    case partial(TemplatePartial)
}

/// A value that a tag names, and where.
package struct TemplateReference: Sendable, Equatable {
    /// How the value is named.
    let path: TemplatePath
    /// Where the tag stands.
    let position: SourcePosition
}

/// What a choice depends on.
package struct TemplateCondition: Sendable, Equatable {
    /// How it is decided.
    enum Test: Sendable, Equatable {
        case isTrue(TagWords.Operand)
        case areEqual(TagWords.Operand, TagWords.Operand)
    }

    /// How it is decided.
    let test: Test
    /// Whether the choice is taken when the test fails.
    let isNegated: Bool
    /// Where the tag stands.
    let position: SourcePosition
}

/// Another template that is put in place.
package struct TemplatePartial: Sendable, Equatable {
    /// Which template.
    let name: String
    /// What becomes its `this`; nil keeps the scope's.
    let scope: TemplatePath?
    /// Values that it is given by name.
    let arguments: [TagWords.Named]
    /// What every line of it begins with.
    let indent: String
    /// Where the tag stands.
    let position: SourcePosition
}
