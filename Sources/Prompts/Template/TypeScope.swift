/// The possible types of names at one place of a template.
struct TypeScope {
    var this: InputType
    var arguments: [String: InputType] = [:]
    var isLoop = false
    var hasKey = false

    var schema: InputSchema? {
        guard case .object(let schema) = this else { return nil }
        return schema
    }

    func adding(_ more: [String: InputType]) -> TypeScope {
        var scope = self
        scope.arguments.merge(more) { _, new in new }
        return scope
    }

    func type(_ names: [String]) -> InputType? {
        guard let first = names.first else { return this }
        let root = arguments[first] ?? this.member(first)
        return names.dropFirst().reduce(root) { type, name in type?.member(name) }
    }

    /// Returns true if `this` is the prompt's whole input.
    func isInput(_ input: InputType) -> Bool { !isLoop && this == input }
}

extension InputType {
    /// The type of a literal.
    init(of value: TemplateValue) {
        self =
            switch value {
            case .null: .null
            case .bool: .boolean
            case .integer: .integer
            case .number: .number
            case .string: .string
            case .list, .object: .any
            }
    }

    /// True if a value of the type can be written as text.
    var isText: Bool {
        switch self {
        case .list, .object: false
        case .any, .string, .boolean, .integer, .number, .null, .enumeration: true
        }
    }

    var hasKeys: Bool {
        switch self {
        case .object, .any: true
        default: false
        }
    }

    /// The type of a loop's elements; nil when the type cannot be looped over.
    var element: InputType? {
        switch self {
        case .any, .object: .any
        case .list(let element): element
        case .string, .boolean, .integer, .number, .null, .enumeration: nil
        }
    }

    func member(_ name: String) -> InputType? {
        switch self {
        case .any: .any
        case .object(let schema): schema[name]?.type ?? schema.others
        case .list(let element): Int(name).map { _ in element }
        case .string, .boolean, .integer, .number, .null, .enumeration: nil
        }
    }
}
