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
        case .syntax(let at, let reason): "\(at): \(reason)"
        case .tooLarge(let file, let bytes, let limit): "\(file): \(bytes) bytes, and at most \(limit) are read"
        case .tooDeep(let at, let limit): "\(at): nested more than \(limit) deep"
        case .tooManyNodes(let at, let limit): "\(at): more than \(limit) nodes"
        case .empty(let file): "\(file): no document"
        case .secondDocument(let at): "\(at): a second document begins, and one is expected"
        case .duplicateKey(let at, let key, let line): "\(at): the key \"\(key)\" was given on line \(line) already"
        case .unsupportedKey(let at): "\(at): a key must be a scalar and not a merge key"
        case .unsupportedTag(let at, let tag): "\(at): the tag \(tag) is not supported here"
        case .unknownAlias(let at, let name): "\(at): the alias *\(name) names no complete anchor"
        case .wrongKind(let at, let expected, let found): "\(at): expected \(expected), found \(found)"
        case .invalidValue(let at, let expected, let found): "\(at): expected \(expected), found \"\(found)\""
        case .missingKey(let at, let key): "\(at): the key \"\(key)\" is missing"
        case .unknownKey(let at, let key, let known):
            "\(at): unknown key \"\(key)\"; known are \(known.joined(separator: ", "))"
        }
    }
}
