import CYAML

/// Owns libyaml's parser and its input, and turns libyaml's events into values.
///
/// libyaml copies its data into the event, which is freed before ``next()`` returns.
struct YAMLParser: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let file: String

    init(_ text: String, file: String) {
        self.file = file
        bytes = .allocate(capacity: text.utf8.count)
        _ = bytes.initialize(fromContentsOf: text.utf8)
        parser = .allocate(capacity: 1)
        precondition(yaml_parser_initialize(parser) == 1, "libyaml could not make a parser")
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        bytes.deallocate()
    }

    func next() throws(YAMLError) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw failure }
        defer { yaml_event_delete(&event) }
        return read(event)
    }

    private var failure: YAMLError {
        let mark = parser.pointee.problem_mark
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "out of memory"
        let context = parser.pointee.context.map { " " + String(cString: $0) } ?? ""
        return .syntax(at: position(mark), reason: problem + context)
    }

    private func position(_ mark: yaml_mark_t) -> YAMLPosition {
        YAMLPosition(file: file, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    private func read(_ event: yaml_event_t) -> YAMLEvent {
        let place = position(event.start_mark)
        switch event.type {
        case YAML_SCALAR_EVENT: return scalar(event.data.scalar, place)
        case YAML_ALIAS_EVENT: return YAMLEvent(kind: .alias(text(event.data.alias.anchor) ?? ""), position: place)
        case YAML_SEQUENCE_START_EVENT:
            let start = event.data.sequence_start
            return YAMLEvent(kind: .sequenceStart, position: place, anchor: text(start.anchor), tag: text(start.tag))
        case YAML_MAPPING_START_EVENT:
            let start = event.data.mapping_start
            return YAMLEvent(kind: .mappingStart, position: place, anchor: text(start.anchor), tag: text(start.tag))
        default: return YAMLEvent(kind: mark(event.type), position: place)
        }
    }

    private func mark(_ type: yaml_event_type_t) -> YAMLEvent.Kind {
        switch type {
        case YAML_SEQUENCE_END_EVENT: .sequenceEnd
        case YAML_MAPPING_END_EVENT: .mappingEnd
        case YAML_DOCUMENT_START_EVENT: .documentStart
        case YAML_DOCUMENT_END_EVENT: .documentEnd
        case YAML_STREAM_START_EVENT: .streamStart
        default: .streamEnd
        }
    }

    private typealias Scalar = yaml_event_s.__Unnamed_union_data.__Unnamed_struct_scalar

    private func scalar(_ scalar: Scalar, _ place: YAMLPosition) -> YAMLEvent {
        let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        let style: YAMLNode.Style =
            switch scalar.style {
            case YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE: .quoted
            case YAML_LITERAL_SCALAR_STYLE: .literal
            case YAML_FOLDED_SCALAR_STYLE: .folded
            default: .plain
            }
        let kind = YAMLEvent.Kind.scalar(String(decoding: bytes, as: UTF8.self), style)
        return YAMLEvent(kind: kind, position: place, anchor: text(scalar.anchor), tag: text(scalar.tag))
    }

    private func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(cString: $0) }
    }
}

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
