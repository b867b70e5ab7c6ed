/// Why a document could not be read, or is not what its reader expects.
package enum YAMLError: Error, Equatable {
    /// The text is no YAML.
    case syntax(at: YAMLPosition, reason: String)
    /// The text is longer than it may be.
    case tooLarge(file: String, bytes: Int, limit: Int)
    /// Collections lie within collections more than `limit` times.
    case tooDeep(at: YAMLPosition, limit: Int)
    /// There are more than `limit` nodes, with those that aliases repeat.
    case tooManyNodes(at: YAMLPosition, limit: Int)
    /// There is no document.
    case empty(file: String)
    /// A second document begins.
    case secondDocument(at: YAMLPosition)
    /// A mapping has the key already.
    case duplicateKey(at: YAMLPosition, key: String, firstLine: Int)
    /// A key is a collection, or a merge key.
    case unsupportedKey(at: YAMLPosition)
    /// A tag is none of the core schema's, or does not fit its node.
    case unsupportedTag(at: YAMLPosition, tag: String)
    /// An alias names no anchor that is complete.
    case unknownAlias(at: YAMLPosition, name: String)
    /// The node is of another kind.
    case wrongKind(at: YAMLPosition, expected: String, found: String)
    /// The scalar is not of the expected form.
    case invalidValue(at: YAMLPosition, expected: String, found: String)
    /// A mapping lacks a key that it must have.
    case missingKey(at: YAMLPosition, key: String)
    /// A mapping has a key that its reader does not know.
    case unknownKey(at: YAMLPosition, key: String, known: [String])
}

extension YAMLError: CustomStringConvertible {
    /// A sentence for whoever wrote the file, with its place first.
    package var description: String {
        switch self {
        case .tooLarge(let file, _, _), .empty(let file): "\(file): \(reason)"
        case .syntax(let at, _), .tooDeep(let at, _), .tooManyNodes(let at, _), .secondDocument(let at),
            .duplicateKey(let at, _, _), .unsupportedKey(let at), .unsupportedTag(let at, _), .unknownAlias(let at, _),
            .wrongKind(let at, _, _), .invalidValue(let at, _, _), .missingKey(let at, _), .unknownKey(let at, _, _):
            "\(at): \(reason)"
        }
    }

    /// The sentence without its place.
    package var reason: String {
        switch self {
        case .syntax(_, let reason): reason
        case .tooLarge(_, let bytes, let limit): "\(bytes) bytes, and at most \(limit) are read"
        case .tooDeep(_, let limit): "nested more than \(limit) deep"
        case .tooManyNodes(_, let limit): "more than \(limit) nodes"
        case .empty: "no document"
        case .secondDocument: "a second document begins, and one is expected"
        case .duplicateKey(_, let key, let line): "the key \"\(key)\" was given on line \(line) already"
        case .unsupportedKey: "a key must be a scalar and not a merge key"
        case .unsupportedTag(_, let tag): "the tag \(tag) is not supported here"
        case .unknownAlias(_, let name): "the alias *\(name) names no complete anchor"
        case .wrongKind(_, let expected, let found): "expected \(expected), found \(found)"
        case .invalidValue(_, let expected, let found): "expected \(expected), found \"\(found)\""
        case .missingKey(_, let key): "the key \"\(key)\" is missing"
        case .unknownKey(_, let key, let known): "unknown key \"\(key)\"; known are \(known.joined(separator: ", "))"
        }
    }
}
