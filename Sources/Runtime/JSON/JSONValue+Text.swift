extension JSONValue {
    /// The value as JSON text without spaces.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The value as indented JSON text, with two spaces for each level and a line break at the end.
    package var indentedText: String {
        var text: [UInt8] = []
        append(to: &text, indent: 0)
        return String(decoding: text, as: UTF8.self) + "\n"
    }

    /// The value as bytes of JSON text.
    package var bytes: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(512)
        append(to: &text)
        return text
    }

    /// The value with the members of every object sorted by the bytes of their names.
    ///
    /// Two spellings of one object then give one text.
    ///
    /// Numbers keep their spelling.
    package var canonical: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.canonical))
        case .object(let members):
            .object(
                members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
                    .map { Member(name: $0.name, value: $0.value.canonical) }
            )
        case .null, .bool, .number, .string: self
        }
    }

    private func append(to text: inout [UInt8]) {
        switch self {
        case .null: text.append("null")
        case .bool(let bool): text.append(bool ? "true" : "false")
        case .number(let literal): text.append(literal)
        case .string(let string): text.appendJSONString(string)
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                element.append(to: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let members):
            text.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                text.appendJSONString(member.name)
                text.append(UInt8(ascii: ":"))
                member.value.append(to: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    private func append(to text: inout [UInt8], indent: Int) {
        switch self {
        case .array(let elements) where !elements.isEmpty:
            Self.appendLines(elements, to: &text, indent, "[", "]") { $1.append(to: &$0, indent: indent + 1) }
        case .object(let members) where !members.isEmpty:
            Self.appendLines(members, to: &text, indent, "{", "}") { text, member in
                text.appendJSONString(member.name)
                text.append(": ")
                member.value.append(to: &text, indent: indent + 1)
            }
        default: append(to: &text)
        }
    }

    private static func appendLines<Item>(
        _ items: [Item],
        to text: inout [UInt8],
        _ indent: Int,
        _ open: String,
        _ close: String,
        _ line: (inout [UInt8], Item) -> Void
    ) {
        text.append(open)
        for (index, item) in items.enumerated() {
            text.append((index > 0 ? ",\n" : "\n") + String(repeating: "  ", count: indent + 1))
            line(&text, item)
        }
        text.append("\n" + String(repeating: "  ", count: indent) + close)
    }
}
