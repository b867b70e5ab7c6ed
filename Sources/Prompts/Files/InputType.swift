/// The type of a prompt's variable.
package indirect enum InputType: Sendable, Equatable {
    case any
    case string
    case boolean
    case integer
    case number
    case null
    case enumeration([TemplateValue])
    case list(InputType)
    case object(InputSchema)

    /// The type in words, for an error.
    package var name: String {
        switch self {
        case .any: "any value"
        case .string: "a string"
        case .boolean: "true or false"
        case .integer: "a whole number"
        case .number: "a number"
        case .null: "null"
        case .enumeration(let values): "one of " + values.map { $0.json() }.joined(separator: ", ")
        case .list(let element): "a list, each \(element.name)"
        case .object: "an object"
        }
    }

    /// Returns true if a value belongs to the type.
    func holds(_ value: TemplateValue) -> Bool {
        switch (self, value) {
        case (.any, _), (.string, .string), (.boolean, .bool), (.integer, .integer), (.null, .null): true
        case (.number, .integer), (.number, .number): true
        case (.enumeration(let values), _): values.contains(value)
        case (.list(let type), .list(let elements)): elements.allSatisfy(type.holds)
        case (.object(let schema), .object(let object)): schema.holds(object)
        default: false
        }
    }
}
