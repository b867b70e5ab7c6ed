/// The position and kind of a value's difference from its schema.
package enum SchemaFault: Error, Equatable {
    /// A required member is missing.
    case missing(path: String)
    /// The value is of another kind.
    case wrongType(path: String, expected: String)
    /// The value has the right kind but breaks its rule.
    case outOfRule(path: String, demand: String)
    /// An undeclared member; reported only by closed checks.
    case undeclared(path: String)

    /// Path of the value, such as `context.app_state` or `messages[3].timestamp`; empty for the root.
    package var path: String {
        switch self {
        case .missing(let path), .wrongType(let path, _), .outOfRule(let path, _), .undeclared(let path): path
        }
    }

    /// The violated requirement, worded to follow the path.
    package var demand: String {
        switch self {
        case .missing: "is required"
        case .wrongType(_, let expected): "must be \(expected)"
        case .outOfRule(_, let demand): demand
        case .undeclared: "is not declared"
        }
    }
}
