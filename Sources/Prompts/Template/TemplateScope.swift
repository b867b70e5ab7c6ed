/// The meaning of names at one place of a template.
struct TemplateScope {
    /// A loop's facts about its current element.
    struct Loop {
        let index: Int
        let count: Int
        let key: String?
    }

    /// The value of `this`.
    let this: TemplateValue
    /// Values that take precedence over the fields of `this`.
    var arguments: [TemplateObject.Field] = []
    /// The loop that the scope is an element of.
    var loop: Loop?

    /// The value at a path of names; nil when there is none.
    func value(_ names: [String]) -> TemplateValue? {
        guard let first = names.first else { return this }
        let root = arguments.first { $0.name == first }?.value ?? this.member(first)
        return names.dropFirst().reduce(root) { value, name in value?.member(name) }
    }
}

extension TemplateScope.Loop {
    func value(_ fact: TemplatePath.LoopFact) -> TemplateValue? {
        switch fact {
        case .index: .integer(index)
        case .first: .bool(index == 0)
        case .last: .bool(index == count - 1)
        case .key: key.map(TemplateValue.string)
        }
    }
}

extension TemplateValue {
    /// The field of an object, or the element of a list by index.
    fileprivate func member(_ name: String) -> TemplateValue? {
        switch self {
        case .object(let object): object[name]
        case .list(let elements): Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        case .null, .bool, .integer, .number, .string: nil
        }
    }
}
