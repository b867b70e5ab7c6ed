import Runtime

/// Objects by the names of their members, for formats in which order means nothing.
extension JSONValue {
    /// Parses a document; nil when it is none.
    init?(parsing text: String) {
        guard let value = try? JSONReader.read(Array(text.utf8)) else { return nil }
        self = value
    }

    /// An object, its members in order of their names.
    static func fields(_ fields: [String: JSONValue]) -> JSONValue {
        .object(fields.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: $0.value) })
    }

    /// A finite number.
    static func real(_ value: Double) -> JSONValue {
        value == value.rounded() && abs(value) < 1e15 ? .integer(Int(value)) : .number("\(value)")
    }

    /// The members by name; nil for anything but an object.
    var fields: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
