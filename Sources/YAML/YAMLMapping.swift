/// Keys and their nodes in document order; each key occurs once.
package struct YAMLMapping: Sendable, Equatable {
    /// A key and its node.
    package struct Entry: Sendable, Equatable {
        /// The key's text.
        package let key: String
        /// The position at which the key begins.
        package let position: YAMLPosition
        /// The key's node.
        package let value: YAMLNode
    }

    /// Every entry, in order.
    package let entries: [Entry]
    /// The position at which the mapping begins.
    package let position: YAMLPosition
    private let index: [String: Int]

    init(_ entries: [Entry], at position: YAMLPosition) throws(YAMLError) {
        var index: [String: Int] = [:]
        for (place, entry) in entries.enumerated() {
            if let first = index.updateValue(place, forKey: entry.key) {
                let line = entries[first].position.line
                throw .duplicateKey(at: entry.position, key: entry.key, firstLine: line)
            }
        }
        self.entries = entries
        self.position = position
        self.index = index
    }

    /// The keys, in order.
    package var keys: [String] { entries.map(\.key) }

    /// The node of a key; nil when the key is absent or null.
    package subscript(_ key: String) -> YAMLNode? {
        guard let place = index[key], !entries[place].value.isNull else { return nil }
        return entries[place].value
    }

    /// The node of a required key; throws when it is absent or null.
    package func required(_ key: String) throws(YAMLError) -> YAMLNode {
        guard let node = self[key] else { throw .missingKey(at: position, key: key) }
        return node
    }

    /// The text of a required key.
    package func string(_ key: String) throws(YAMLError) -> String {
        try required(key).string()
    }

    /// The texts of a key's sequence; empty when the key is absent.
    package func strings(_ key: String) throws(YAMLError) -> [String] {
        try self[key]?.strings() ?? []
    }

    /// Refuses keys that the reader does not know, which catches misspelt keys.
    package func refuseKeys(except known: [String]) throws(YAMLError) {
        for entry in entries where !known.contains(entry.key) {
            throw .unknownKey(at: entry.position, key: entry.key, known: known)
        }
    }
}
