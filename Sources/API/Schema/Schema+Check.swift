package import Runtime

extension Schema {
    /// Checks a value against the schema; throws the first difference in the schema's order.
    ///
    /// - Parameters:
    ///   - path: Path of the value; empty for the root.
    ///   - isClosed: True rejects undeclared members, as in responses.
    package func check(_ value: JSONValue, at path: String = "", isClosed: Bool = false) throws(SchemaFault) {
        if value.isNull && isNullable { return }
        switch shape {
        case .anything: return
        case .boolean: guard value.bool != nil else { throw .wrongType(path: path, expected: kind) }
        case .integer(let range): try check(value, in: range, at: path)
        case .number(let range):
            guard let number = value.number else { throw .wrongType(path: path, expected: kind) }
            guard range.contains(number) else {
                throw .outOfRule(path: path, demand: "must be from \(range.lowerBound) to \(range.upperBound)")
            }
        case .string(let rule): try check(value, by: rule, at: path)
        case .array(let element, let count): try check(value, of: element, count, at: path, isClosed)
        case .arrayContaining(let element, let count, let wanted):
            try check(value, of: element, count, at: path, isClosed)
            guard (value.array ?? []).contains(where: { wanted.holds($0) }) else {
                throw .outOfRule(path: path, demand: wanted.note)
            }
        case .object(let fields): try check(value, with: fields, at: path, isClosed)
        case .either(let schemas):
            guard schemas.contains(where: { $0.holds(value) }) else { throw .wrongType(path: path, expected: kind) }
        }
    }

    /// Returns true when the value satisfies the schema.
    package func holds(_ value: JSONValue) -> Bool {
        (try? check(value)) != nil
    }

    /// Name of the value's kind for error messages.
    private var kind: String {
        switch shape {
        case .anything: "any value"
        case .boolean: "true or false"
        case .integer: "a whole number"
        case .number: "a number"
        case .string: "a string"
        case .array, .arrayContaining: "an array"
        case .object: "an object"
        case .either(let schemas): schemas.map(\.kind).joined(separator: " or ")
        }
    }

    private func check(_ value: JSONValue, in range: ClosedRange<Int>, at path: String) throws(SchemaFault) {
        guard let number = value.number, number == number.rounded() else {
            throw .wrongType(path: path, expected: kind)
        }
        guard let integer = value.integer, range.contains(integer) else {
            throw .outOfRule(path: path, demand: Self.demand(range))
        }
    }

    private static func demand(_ range: ClosedRange<Int>) -> String {
        switch (range.count == 1, range.upperBound) {
        case (true, _): "must be \(range.lowerBound)"
        case (false, .max): "must be \(range.lowerBound) or more"
        case (false, _): "must be from \(range.lowerBound) to \(range.upperBound)"
        }
    }

    private func check(_ value: JSONValue, by rule: TextRule, at path: String) throws(SchemaFault) {
        guard let string = value.string else { throw .wrongType(path: path, expected: kind) }
        guard rule.holds(string) else { throw .outOfRule(path: path, demand: rule.demand) }
    }

    private func check(
        _ value: JSONValue,
        of element: Schema,
        _ count: ClosedRange<Int>,
        at path: String,
        _ isClosed: Bool
    ) throws(SchemaFault) {
        guard let elements = value.array else { throw .wrongType(path: path, expected: kind) }
        guard count.contains(elements.count) else {
            throw .outOfRule(path: path, demand: "must have \(count.lowerBound) to \(count.upperBound) elements")
        }
        for (index, member) in elements.enumerated() {
            try element.check(member, at: "\(path)[\(index)]", isClosed: isClosed)
        }
    }

    private func check(_ value: JSONValue, with fields: [Field], at path: String, _ isClosed: Bool) throws(SchemaFault)
    {
        guard case .object(let members) = value else { throw .wrongType(path: path, expected: kind) }
        for field in fields {
            let place = Self.place(field.name, in: path)
            if let member = value[field.name] {
                try field.schema.check(member, at: place, isClosed: isClosed)
            } else if field.isRequired {
                throw .missing(path: place)
            }
        }
        guard isClosed || isStrict else { return }
        for member in members where !fields.contains(where: { $0.name == member.name }) {
            throw .undeclared(path: Self.place(member.name, in: path))
        }
    }

    private static func place(_ name: String, in path: String) -> String {
        path.isEmpty ? name : "\(path).\(name)"
    }
}
