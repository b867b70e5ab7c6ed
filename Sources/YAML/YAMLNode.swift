/// A value in a document, with its position.
///
/// Two nodes are equal when content and position are equal.
package struct YAMLNode: Sendable, Equatable {
    /// The way in which a scalar was written.
    package enum Style: Sendable, Equatable {
        /// Without quotes: `true`, `12` and `null` have meaning.
        case plain
        /// In quotes of either kind, or tagged `!!str`: always text.
        case quoted
        /// As a block after `|`; line breaks are kept.
        case literal
        /// As a block after `>`; line breaks are joined.
        case folded
    }

    /// The possible contents of a node.
    package enum Content: Sendable, Equatable {
        case scalar(String, Style)
        case sequence([YAMLNode])
        case mapping(YAMLMapping)
    }

    /// The node's content.
    package let content: Content
    /// The position at which the node begins.
    package let position: YAMLPosition

    package init(_ content: Content, at position: YAMLPosition) {
        self.content = content
        self.position = position
    }

    /// True if the node is a plain `null`, `~` or nothing at all.
    package var isNull: Bool {
        guard case .scalar(let text, .plain) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// The node's kind, in words for an error.
    package var kind: String {
        switch content {
        case .scalar: isNull ? "nothing" : "a scalar"
        case .sequence: "a sequence"
        case .mapping: "a mapping"
        }
    }
}

extension YAMLNode {
    /// The scalar's text in any style; throws for null.
    package func string() throws(YAMLError) -> String {
        guard case .scalar(let text, _) = content, !isNull else { throw wrongKind("text") }
        return text
    }

    /// Reads a whole number, such as `12`, `-3` or `1_000`.
    package func integer() throws(YAMLError) -> Int {
        try plain("a whole number") { Int($0.filter { $0 != "_" }) }
    }

    /// Reads a whole number within bounds.
    package func integer(in range: ClosedRange<Int>) throws(YAMLError) -> Int {
        let value = try integer()
        guard range.contains(value) else {
            throw invalid("a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// Reads a finite number.
    package func number() throws(YAMLError) -> Double {
        try plain("a number") { text in Double(text).flatMap { $0.isFinite ? $0 : nil } }
    }

    /// Reads `true` or `false`; other spellings are refused.
    package func bool() throws(YAMLError) -> Bool {
        try plain("true or false") { ["true": true, "false": false][$0] }
    }

    /// Reads one of an enumeration's raw values.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        of type: Choice.Type = Choice.self
    ) throws(YAMLError) -> Choice {
        guard let choice = Choice(rawValue: try string()) else {
            throw invalid("one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// Reads a sequence's nodes in order.
    package func sequence() throws(YAMLError) -> [YAMLNode] {
        guard case .sequence(let nodes) = content else { throw wrongKind("a sequence") }
        return nodes
    }

    /// Reads a sequence of scalars as texts.
    package func strings() throws(YAMLError) -> [String] {
        var texts: [String] = []
        for node in try sequence() { texts.append(try node.string()) }
        return texts
    }

    /// Reads a mapping.
    package func mapping() throws(YAMLError) -> YAMLMapping {
        guard case .mapping(let mapping) = content else { throw wrongKind("a mapping") }
        return mapping
    }

    /// Reads a mapping and refuses all other keys.
    package func mapping(of known: String...) throws(YAMLError) -> YAMLMapping {
        let mapping = try mapping()
        try mapping.refuseKeys(except: known)
        return mapping
    }

    /// Makes an error with the expected and the found value.
    package func invalid(_ expected: String) -> YAMLError {
        guard case .scalar(let text, _) = content else { return wrongKind(expected) }
        return .invalidValue(at: position, expected: expected, found: String(text.prefix(80)))
    }

    private func wrongKind(_ expected: String) -> YAMLError {
        .wrongKind(at: position, expected: expected, found: kind)
    }

    private func plain<Value>(_ expected: String, _ read: (String) -> Value?) throws(YAMLError) -> Value {
        guard case .scalar(let text, let style) = content else { throw wrongKind(expected) }
        guard style == .plain, let value = read(text) else { throw invalid(expected) }
        return value
    }
}

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

        package init(key: String, position: YAMLPosition, value: YAMLNode) {
            self.key = key
            self.position = position
            self.value = value
        }
    }

    /// Every entry, in order.
    package let entries: [Entry]
    /// The position at which the mapping begins.
    package let position: YAMLPosition
    private let index: [String: Int]

    /// Makes a mapping; throws for a key that occurs twice.
    package init(_ entries: [Entry], at position: YAMLPosition) throws(YAMLError) {
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

/// The position at which a node begins.
package struct YAMLPosition: Sendable, Hashable, CustomStringConvertible {
    /// The document's name.
    package let file: String
    /// From 1.
    package let line: Int
    /// In characters, from 1.
    package let column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// The form that editors and compilers use: "rules.yaml:12:5".
    package var description: String { "\(file):\(line):\(column)" }
}
