/// A value in a document, with its place.
///
/// Two nodes are equal when they hold the same at the same place.
package struct YAMLNode: Sendable, Equatable {
    /// How a scalar was written.
    package enum Style: Sendable, Equatable {
        /// Without quotes: `true`, `12` and `null` have meaning.
        case plain
        /// In quotes of either kind, or tagged `!!str`: always text.
        case quoted
        /// As a block after `|`, its lines kept.
        case literal
        /// As a block after `>`, its lines joined.
        case folded
    }

    /// What a node may be.
    package enum Content: Sendable, Equatable {
        case scalar(String, Style)
        case sequence([YAMLNode])
        case mapping(YAMLMapping)
    }

    /// What the node is.
    package let content: Content
    /// Where it begins.
    package let position: YAMLPosition

    /// Makes a node.
    package init(_ content: Content, at position: YAMLPosition) {
        self.content = content
        self.position = position
    }

    /// Whether the node is a plain `null`, `~` or nothing at all.
    package var isNull: Bool {
        guard case .scalar(let text, .plain) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// What the node is, in words for an error.
    package var kind: String {
        switch content {
        case .scalar: isNull ? "nothing" : "a scalar"
        case .sequence: "a sequence"
        case .mapping: "a mapping"
        }
    }
}

extension YAMLNode {
    /// The scalar's text, however it was written; null is none.
    package func string() throws(YAMLError) -> String {
        guard case .scalar(let text, _) = content, !isNull else { throw wrongKind("text") }
        return text
    }

    /// A whole number: `12`, `-3`, `1_000`.
    package func integer() throws(YAMLError) -> Int {
        try plain("a whole number") { Int($0.filter { $0 != "_" }) }
    }

    /// A whole number within bounds.
    package func integer(in range: ClosedRange<Int>) throws(YAMLError) -> Int {
        let value = try integer()
        guard range.contains(value) else {
            throw invalid("a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// A finite number.
    package func number() throws(YAMLError) -> Double {
        try plain("a number") { text in Double(text).flatMap { $0.isFinite ? $0 : nil } }
    }

    /// `true` or `false`, and no other spelling of them.
    package func bool() throws(YAMLError) -> Bool {
        try plain("true or false") { ["true": true, "false": false][$0] }
    }

    /// One of an enumeration's raw values.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        of type: Choice.Type = Choice.self
    ) throws(YAMLError) -> Choice {
        guard let choice = Choice(rawValue: try string()) else {
            throw invalid("one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// The nodes of a sequence, in order.
    package func sequence() throws(YAMLError) -> [YAMLNode] {
        guard case .sequence(let nodes) = content else { throw wrongKind("a sequence") }
        return nodes
    }

    /// The texts of a sequence of scalars.
    package func strings() throws(YAMLError) -> [String] {
        var texts: [String] = []
        for node in try sequence() { texts.append(try node.string()) }
        return texts
    }

    /// The mapping.
    package func mapping() throws(YAMLError) -> YAMLMapping {
        guard case .mapping(let mapping) = content else { throw wrongKind("a mapping") }
        return mapping
    }

    /// The mapping, when it has no keys but these.
    package func mapping(of known: String...) throws(YAMLError) -> YAMLMapping {
        let mapping = try mapping()
        try mapping.refuseKeys(except: known)
        return mapping
    }

    /// An error that says what was expected here instead of what was found.
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
