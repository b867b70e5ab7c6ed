package import Runtime

extension TemplateValue {
    /// Converts a JSON value; whole numbers become integers when they fit.
    package init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let literal): self = Int(literal).map { .integer($0) } ?? .number(Double(literal) ?? .infinity)
        case .string(let string): self = .string(string)
        case .array(let elements): self = .list(elements.map { TemplateValue($0) })
        case .object(let members):
            var object = TemplateObject()
            for member in members { object[member.name] = TemplateValue(member.value) }
            self = .object(object)
        }
    }

    /// Writes the value as JSON.
    ///
    /// - Parameter indent: The number of spaces for each level; 0 writes one line without spaces.
    package func json(indent: Int = 0) -> String {
        var text = ""
        appendJSON(to: &text, indent: indent, depth: 0)
        return text
    }

    private func appendJSON(to text: inout String, indent: Int, depth: Int) {
        switch self {
        case .null: text += "null"
        case .bool, .integer: text += self.text ?? ""
        case .number(let value): text += value.isFinite ? Self.text(of: value) : "null"
        case .string(let string): text.appendJSONString(string)
        case .list(let elements):
            Self.append(elements, "[", "]", to: &text, indent, depth) { element, text in
                element.appendJSON(to: &text, indent: indent, depth: depth + 1)
            }
        case .object(let object):
            Self.append(object.fields, "{", "}", to: &text, indent, depth) { field, text in
                text.appendJSONString(field.name)
                text += indent > 0 ? ": " : ":"
                field.value.appendJSON(to: &text, indent: indent, depth: depth + 1)
            }
        }
    }

    private static func append<Element>(
        _ elements: [Element],
        _ open: String,
        _ close: String,
        to text: inout String,
        _ indent: Int,
        _ depth: Int,
        _ appendElement: (Element, inout String) -> Void
    ) {
        text += open
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            breakLine(&text, indent, depth + 1)
            appendElement(element, &text)
        }
        if !elements.isEmpty { breakLine(&text, indent, depth) }
        text += close
    }

    private static func breakLine(_ text: inout String, _ indent: Int, _ depth: Int) {
        guard indent > 0 else { return }
        text += "\n" + String(repeating: " ", count: indent * depth)
    }
}
