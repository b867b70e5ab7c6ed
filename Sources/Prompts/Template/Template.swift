/// A parsed template.
package struct Template: Sendable, Equatable {
    /// The source file's name.
    package let file: String
    /// The nodes in order.
    package let nodes: [TemplateNode]

    /// Parses a source or a range of its bytes; the cost is linear in the length.
    package init(_ source: SourceText, _ range: Range<Int>? = nil) throws(PromptSourceError) {
        var parser = try TemplateParser(source, range ?? 0..<source.bytes.count)
        file = source.file
        nodes = try parser.nodes()
    }

    /// Parses a text.
    package init(_ text: String, file: String = "<template>") throws(PromptSourceError) {
        try self.init(SourceText(file: file, text))
    }
}

extension Sequence<TemplateNode> {
    /// Calls a closure for every node, including those in blocks but not those in partials.
    func forEachNode(_ visit: (TemplateNode) -> Void) {
        for node in self {
            visit(node)
            for branch in node.branches { branch.forEachNode(visit) }
        }
    }
}

extension TemplateNode {
    /// The child nodes by branch.
    var branches: [[TemplateNode]] {
        switch self {
        case .section(_, let body, _): [body]
        case .choice(_, let then, let otherwise): [then, otherwise]
        case .each(_, let body, let otherwise): [body, otherwise]
        case .text, .value, .json, .role, .history, .partial: []
        }
    }
}
