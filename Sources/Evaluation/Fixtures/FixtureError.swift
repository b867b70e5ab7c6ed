package import YAML

/// Errors in reading fixtures.
package enum FixtureError: Error, Equatable, CustomStringConvertible {
    /// The document does not have the structure of a suite.
    case document(YAMLError)
    /// The type of an assertion is not supported.
    case unsupportedAssertion(at: YAMLPosition, type: String)
    /// A value is invalid for its key.
    case invalid(at: YAMLPosition, reason: String)
    /// Two fixtures have the same identifier.
    case duplicateID(at: YAMLPosition, id: String, first: YAMLPosition)
    /// The file cannot be read.
    case unreadable(path: String, reason: String)
    /// The file or folder contains no fixture.
    case none(path: String)

    package var description: String {
        switch self {
        case .document(let error): error.description
        case .unsupportedAssertion(let at, let type):
            "\(at): the assertion type \"\(type)\" is not supported; supported are "
                + Assertion.types.joined(separator: ", ") + ", each also with not-"
        case .invalid(let at, let reason): "\(at): \(reason)"
        case .duplicateID(let at, let id, let first): "\(at): the id \"\(id)\" was given at \(first) already"
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .none(let path): "\(path): no fixtures"
        }
    }
}

/// Runs a YAML parser and wraps its errors as errors of the fixture.
func reading<Value>(_ read: () throws(YAMLError) -> Value) throws(FixtureError) -> Value {
    do throws(YAMLError) {
        return try read()
    } catch {
        throw .document(error)
    }
}
