import Runtime

extension Schema {
    /// Writes the schema as JSON Schema 2020-12; a named schema becomes a reference.
    var openAPI: JSONValue {
        guard let name else { return described }
        let reference: JSONValue = ["$ref": .string("#/components/schemas/\(name)")]
        return isNullable ? ["anyOf": [reference, ["type": "null"]]] : reference
    }

    /// Writes the schema in full, even when it is named.
    var described: JSONValue {
        let description: [(String, JSONValue)] = note.isEmpty ? [] : [("description", .string(note))]
        return .object((description + keywords).map { JSONValue.Member(name: $0, value: $1) })
    }

    /// Collects every named schema, including this one, once.
    func gather(into named: inout [String: Schema]) {
        if let name, named[name] == nil { named[name] = withoutNull }
        switch shape {
        case .anything, .boolean, .integer, .number, .string: return
        case .array(let element, _), .arrayContaining(let element, _, _): element.gather(into: &named)
        case .object(let fields): for field in fields { field.schema.gather(into: &named) }
        case .either(let schemas): for schema in schemas { schema.gather(into: &named) }
        }
    }

    private var keywords: [(String, JSONValue)] {
        switch shape {
        case .anything: []
        case .boolean: [type("boolean")]
        case .integer(let range): [type("integer")] + Self.bounds(range, "minimum", "maximum", implied: .min)
        case .number(let range):
            [
                type("number"), ("minimum", .number("\(range.lowerBound)")),
                ("maximum", .number("\(range.upperBound)")),
            ]
        case .string(let rule) where isNullable && rule != .any:
            [("anyOf", [withoutNull.withoutNote.described, ["type": "null"]])]
        case .string(let rule): [type("string")] + rule.keywords
        case .array(let element, let count): array(element, count)
        case .arrayContaining(let element, let count, let wanted):
            array(element, count) + [("contains", wanted.described)]
        case .object(let fields): object(fields)
        case .either(let schemas):
            [("anyOf", .array(schemas.map(\.openAPI) + (isNullable ? [["type": "null"]] : [])))]
        }
    }

    private func type(_ name: String) -> (String, JSONValue) {
        ("type", isNullable ? [.string(name), "null"] : .string(name))
    }

    private func array(_ element: Schema, _ count: ClosedRange<Int>) -> [(String, JSONValue)] {
        [type("array"), ("items", element.openAPI)] + Self.bounds(count, "minItems", "maxItems", implied: 0)
    }

    private func object(_ fields: [Field]) -> [(String, JSONValue)] {
        let properties = fields.map { JSONValue.Member(name: $0.name, value: $0.schema.openAPI) }
        let required = fields.filter(\.isRequired).map(\.name)
        return [type("object"), ("properties", .object(properties))]
            + (required.isEmpty ? [] : [("required", .strings(required))])
            + (isStrict ? [("additionalProperties", false)] : [])
    }

    /// Writes the bounds of a range that restrict anything.
    private static func bounds(
        _ range: ClosedRange<Int>,
        _ lower: String,
        _ upper: String,
        implied: Int
    ) -> [(String, JSONValue)] {
        (range.lowerBound == implied ? [] : [(lower, .integer(range.lowerBound))])
            + (range.upperBound == .max ? [] : [(upper, .integer(range.upperBound))])
    }
}
