/// One step of the parser through a document.
struct YAMLEvent {
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias(String)
        case scalar(String, YAMLNode.Style)
        case sequenceStart, sequenceEnd, mappingStart, mappingEnd
    }

    private static let core = "tag:yaml.org,2002:"

    let kind: Kind
    let position: YAMLPosition
    var anchor: String?
    var tag: String?

    /// Applies a scalar's tag to its style: `!!str` turns plain into text, and `!!int` turns text into plain.
    func style(_ written: YAMLNode.Style) throws(YAMLError) -> YAMLNode.Style {
        switch tag {
        case nil: return written
        case "!", Self.core + "str": return written == .plain ? .quoted : written
        case Self.core + "int", Self.core + "float", Self.core + "bool", Self.core + "null": return .plain
        case .some(let tag): throw .unsupportedTag(at: position, tag: tag)
        }
    }

    func refuseTag(except name: String) throws(YAMLError) {
        if let tag, tag != Self.core + name { throw .unsupportedTag(at: position, tag: tag) }
    }
}
