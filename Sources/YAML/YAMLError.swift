/// Reasons why a document cannot be read or does not match its reader.
package enum YAMLError: Error, Equatable {
    /// The text is not YAML.
    case syntax(at: YAMLPosition, reason: String)
    /// The text is longer than the limit.
    case tooLarge(file: String, bytes: Int, limit: Int)
    /// Collections are nested more than `limit` levels deep.
    case tooDeep(at: YAMLPosition, limit: Int)
    /// The document has more than `limit` nodes, including those repeated by aliases.
    case tooManyNodes(at: YAMLPosition, limit: Int)
    /// No document.
    case empty(file: String)
    /// A second document begins in the same file.
    case secondDocument(at: YAMLPosition)
    /// A mapping has the same key twice.
    case duplicateKey(at: YAMLPosition, key: String, firstLine: Int)
    /// A key is a collection or a merge key.
    case unsupportedKey(at: YAMLPosition)
    /// A tag is not in the core schema or does not fit its node.
    case unsupportedTag(at: YAMLPosition, tag: String)
    /// An alias names no complete anchor.
    case unknownAlias(at: YAMLPosition, name: String)
    /// The node has another kind.
    case wrongKind(at: YAMLPosition, expected: String, found: String)
    /// The scalar has another form.
    case invalidValue(at: YAMLPosition, expected: String, found: String)
    /// A mapping lacks a required key.
    case missingKey(at: YAMLPosition, key: String)
    /// A mapping has a key that its reader does not know.
    case unknownKey(at: YAMLPosition, key: String, known: [String])
}

extension YAMLError: CustomStringConvertible {
    /// A sentence for the author of the file, with the position first.
    package var description: String {
        switch self {
        case .tooLarge(let file, _, _), .empty(let file): "\(file): \(reason)"
        case .syntax(let at, _), .tooDeep(let at, _), .tooManyNodes(let at, _), .secondDocument(let at),
            .duplicateKey(let at, _, _), .unsupportedKey(let at), .unsupportedTag(let at, _), .unknownAlias(let at, _),
            .wrongKind(let at, _, _), .invalidValue(let at, _, _), .missingKey(let at, _), .unknownKey(let at, _, _):
            "\(at): \(reason)"
        }
    }

    /// The sentence without the position.
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
