/// Where and how a value differs from its schema.
package enum SchemaFault: Error, Equatable {
    /// A member that must be there is not.
    case missing(path: String)
    /// The value is of another kind.
    case wrongType(path: String, expected: String)
    /// The value is of the right kind and breaks its rule.
    case outOfRule(path: String, demand: String)
    /// A member that nobody declared; only where that is asked for.
    case undeclared(path: String)

    /// The place of the value: `context.app_state`, `messages[3].timestamp`; empty for the whole.
    package var path: String {
        switch self {
        case .missing(let path), .wrongType(let path, _), .outOfRule(let path, _), .undeclared(let path): path
        }
    }

    /// What is wrong, to be read after the path.
    package var demand: String {
        switch self {
        case .missing: "is required"
        case .wrongType(_, let expected): "must be \(expected)"
        case .outOfRule(_, let demand): demand
        case .undeclared: "is not declared"
        }
    }
}
