/// The variables of a prompt, or the fields of one of them.
package struct InputSchema: Sendable, Equatable {
    /// One variable.
    package struct Variable: Sendable, Equatable {
        /// What the template calls it.
        package let name: String
        /// What it may hold.
        package let type: InputType
        /// Whether it may be missing; it is null then.
        package let isOptional: Bool
        /// Where it is declared.
        package let position: SourcePosition

        /// Makes a variable.
        package init(
            _ name: String,
            _ type: InputType,
            isOptional: Bool = false,
            at position: SourcePosition = .start
        ) {
            self.name = name
            self.type = type
            self.isOptional = isOptional
            self.position = position
        }
    }

    /// The variables in the order of the file.
    package let variables: [Variable]
    /// What variables of other names hold; nil when there are none.
    package let others: InputType?

    /// Makes a schema.
    package init(_ variables: [Variable], others: InputType? = nil) {
        self.variables = variables
        self.others = others
    }

    /// A schema without variables.
    package static let empty = InputSchema([])

    /// The variable of a name.
    package subscript(_ name: String) -> Variable? {
        variables.first { $0.name == name }
    }

    /// The values as the template sees them: defaults filled in, optional ones that are missing null.
    ///
    /// - Throws: ``InputError`` when one is missing, of another type, or none of the schema's.
    package func bound(
        _ values: TemplateObject,
        defaults: TemplateObject = TemplateObject()
    ) throws(InputError) -> TemplateObject {
        var bound = TemplateObject()
        for variable in variables {
            bound[variable.name] = try value(of: variable, values[variable.name] ?? defaults[variable.name])
        }
        for field in values.fields where self[field.name] == nil {
            guard let others else { throw .unknownVariable(field.name) }
            guard others.holds(field.value) else { throw .otherType(field.name, expected: others.name) }
            bound[field.name] = field.value
        }
        return bound
    }

    /// Whether an object has the fields of the schema.
    func holds(_ object: TemplateObject) -> Bool {
        (try? bound(object)) != nil
    }

    private func value(of variable: Variable, _ value: TemplateValue?) throws(InputError) -> TemplateValue {
        guard let value, value != .null || variable.type.holds(.null) else {
            guard variable.isOptional else { throw .missingVariable(variable.name) }
            return .null
        }
        guard variable.type.holds(value) else {
            throw .otherType(variable.name, expected: variable.type.name)
        }
        return value
    }
}

/// Why values do not fit a schema.
package enum InputError: Error, Equatable, Sendable {
    /// A variable that must be there is not, and has no default.
    case missingVariable(String)
    /// A variable holds something else.
    case otherType(String, expected: String)
    /// A value was given that the schema does not name.
    case unknownVariable(String)
}

extension InputError: CustomStringConvertible {
    /// A clause for whoever gave the values.
    package var description: String {
        switch self {
        case .missingVariable(let name): "the input lacks \"\(name)\", which the prompt needs"
        case .otherType(let name, let expected): "\"\(name)\" of the input must be \(expected)"
        case .unknownVariable(let name): "the prompt declares no \"\(name)\""
        }
    }
}
