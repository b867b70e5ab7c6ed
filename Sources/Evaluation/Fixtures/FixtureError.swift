package import YAML

/// Why fixtures could not be read.
package enum FixtureError: Error, Equatable, CustomStringConvertible {
    /// The document is not what a suite is made of.
    case document(YAMLError)
    /// An assertion is of a type that is not supported here.
    case unsupportedAssertion(at: YAMLPosition, type: String)
    /// A value is not what its key asks for.
    case invalid(at: YAMLPosition, reason: String)
    /// Two fixtures have the same identity.
    case duplicateID(at: YAMLPosition, id: String, first: YAMLPosition)
    /// The file cannot be read.
    case unreadable(path: String, reason: String)
    /// There is no fixture in what was read.
    case none(path: String)

    package var description: String {
        switch self {
        case .document(let error): error.description
        case .unsupportedAssertion(let at, let type):
            "\(at): the assertion type \"\(type)\" is not supported; supported are "
                + AssertionReader.types.joined(separator: ", ") + ", each also with not-"
        case .invalid(let at, let reason): "\(at): \(reason)"
        case .duplicateID(let at, let id, let first): "\(at): the id \"\(id)\" was given at \(first) already"
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .none(let path): "\(path): no fixtures"
        }
    }
}
