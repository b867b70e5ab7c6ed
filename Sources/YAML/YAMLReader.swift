/// Builds nodes from the parser's events within the limits.
struct YAMLReader: ~Copyable {
    private let parser: YAMLParser
    private let file: String
    private let limits: YAML.Limits
    private var anchors: [String: Anchored] = [:]
    private var count = 0
    private var deepest = 0

    /// A node that an alias may repeat, with the cost of each repetition.
    private struct Anchored {
        let node: YAMLNode
        let size: Int
        let height: Int
    }

    init(_ text: String, file: String, limits: YAML.Limits) {
        parser = YAMLParser(text, file: file)
        self.file = file
        self.limits = limits
    }

    mutating func document() throws(YAMLError) -> YAMLNode {
        _ = try parser.next()
        guard case .documentStart = try parser.next().kind else { throw .empty(file: file) }
        let node = try self.node(from: try parser.next(), depth: 0)
        _ = try parser.next()
        let last = try parser.next()
        guard case .streamEnd = last.kind else { throw .secondDocument(at: last.position) }
        return node
    }

    private mutating func node(from event: YAMLEvent, depth: Int) throws(YAMLError) -> YAMLNode {
        let (before, deepestBefore) = (count, deepest)
        if case .alias(let name) = event.kind { return try resolve(name, at: event.position, depth: depth) }
        try addNodes(1, at: event.position)
        deepest = depth
        let node = YAMLNode(try content(of: event, depth: depth), at: event.position)
        if let anchor = event.anchor {
            anchors[anchor] = Anchored(node: node, size: count - before, height: deepest - depth)
        }
        deepest = max(deepest, deepestBefore)
        return node
    }

    private mutating func content(of event: YAMLEvent, depth: Int) throws(YAMLError) -> YAMLNode.Content {
        switch event.kind {
        case .scalar(let text, let style):
            return .scalar(text, try event.style(style))
        case .sequenceStart:
            try event.refuseTag(except: "seq")
            return .sequence(try items(at: event.position, depth: try deeper(depth, event)))
        case .mappingStart:
            try event.refuseTag(except: "map")
            return .mapping(try mapping(at: event.position, depth: try deeper(depth, event)))
        case .alias, .sequenceEnd, .mappingEnd, .documentStart, .documentEnd, .streamStart, .streamEnd:
            throw .syntax(at: event.position, reason: "expected a value")
        }
    }

    private mutating func items(at position: YAMLPosition, depth: Int) throws(YAMLError) -> [YAMLNode] {
        var nodes: [YAMLNode] = []
        while true {
            let event = try parser.next()
            if case .sequenceEnd = event.kind { return nodes }
            nodes.append(try node(from: event, depth: depth))
        }
    }

    private mutating func mapping(at position: YAMLPosition, depth: Int) throws(YAMLError) -> YAMLMapping {
        var entries: [YAMLMapping.Entry] = []
        while true {
            let event = try parser.next()
            if case .mappingEnd = event.kind { return try YAMLMapping(entries, at: position) }
            let key = try node(from: event, depth: depth)
            guard case .scalar(let text, let style) = key.content, !(text == "<<" && style == .plain) else {
                throw .unsupportedKey(at: event.position)
            }
            let value = try node(from: try parser.next(), depth: depth)
            entries.append(YAMLMapping.Entry(key: text, position: event.position, value: value))
        }
    }

    private mutating func resolve(
        _ name: String,
        at position: YAMLPosition,
        depth: Int
    ) throws(YAMLError) -> YAMLNode {
        guard let anchored = anchors[name] else { throw .unknownAlias(at: position, name: name) }
        try addNodes(anchored.size, at: position)
        guard depth + anchored.height <= limits.depth else { throw .tooDeep(at: position, limit: limits.depth) }
        deepest = max(deepest, depth + anchored.height)
        return anchored.node
    }

    private mutating func addNodes(_ more: Int, at position: YAMLPosition) throws(YAMLError) {
        count += more
        guard count <= limits.nodes else { throw .tooManyNodes(at: position, limit: limits.nodes) }
    }

    private func deeper(_ depth: Int, _ event: YAMLEvent) throws(YAMLError) -> Int {
        guard depth < limits.depth else { throw .tooDeep(at: event.position, limit: limits.depth) }
        return depth + 1
    }
}
