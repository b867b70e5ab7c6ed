extension InputType {
    /// Returns true if every value of another type belongs to this type.
    func accepts(_ other: InputType) -> Bool {
        switch (self, other) {
        case (.any, _), (.number, .integer): true
        case (.list(let element), .list(let otherElement)): element.accepts(otherElement)
        case (.object(let schema), .object(let otherSchema)): schema.accepts(otherSchema)
        default: self == other
        }
    }
}

extension InputSchema {
    /// Returns true if every object of another schema matches this schema.
    func accepts(_ other: InputSchema) -> Bool {
        let areKnown = other.variables.allSatisfy { self[$0.name] != nil || others?.accepts($0.type) == true }
        return areKnown
            && variables.allSatisfy { variable in
                guard let given = other[variable.name] else { return variable.isOptional }
                return variable.type.accepts(given.type) && (variable.isOptional || !given.isOptional)
            }
    }
}
