package import YAML

extension TemplateValue {
    /// Reads a YAML value: plain scalars are typed, all others are text.
    package init(_ node: YAMLNode) throws(YAMLError) {
        switch node.content {
        case .scalar(let text, let style): self = style == .plain ? Self.plain(text, node) : .string(text)
        case .sequence(let nodes):
            var elements: [TemplateValue] = []
            for node in nodes { elements.append(try TemplateValue(node)) }
            self = .list(elements)
        case .mapping(let mapping):
            var object = TemplateObject()
            for entry in mapping.entries { object[entry.key] = try TemplateValue(entry.value) }
            self = .object(object)
        }
    }

    private static func plain(_ text: String, _ node: YAMLNode) -> TemplateValue {
        if node.isNull { return .null }
        if let bool = try? node.bool() { return .bool(bool) }
        if let integer = try? node.integer() { return .integer(integer) }
        if let number = try? node.number() { return .number(number) }
        return .string(text)
    }
}
