/// A JSON value; members keep their order.
package enum JSONValue: Sendable, Equatable {
    /// A member of an object.
    package struct Member: Sendable, Equatable {
        /// The member's name.
        package let name: String
        /// The member's value.
        package let value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    case null
    case bool(Bool)
    /// A number as its literal, so that none is rounded or out of range before its value is read.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// Returns the member of an object by its name; nil when it is missing or the value is no object.
    package subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// The string; nil for anything else.
    package var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The truth value; nil for anything else.
    package var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// The elements; nil for anything but an array.
    package var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The whole number, also when it is written as 20.0; nil for anything else and beyond 64 bits.
    package var integer: Int? {
        guard case .number(let literal) = self else { return nil }
        return Int(literal) ?? Double(literal).flatMap { Int(exactly: $0) }
    }

    /// The number, rounded to the nearest that a `Double` holds; nil for anything else.
    package var number: Double? {
        if case .number(let literal) = self { Double(literal) } else { nil }
    }

    /// True if it is null.
    package var isNull: Bool { self == .null }

    /// Makes an object from the members that are not nil.
    package static func members(_ pairs: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        var members: [Member] = []
        members.reserveCapacity(pairs.count)
        for case (let name, let value?) in pairs { members.append(Member(name: name, value: value)) }
        return .object(members)
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .number(String(value)) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(name: $0, value: $1) })
    }

    /// A whole number.
    package static func integer(_ value: Int) -> JSONValue { .number(String(value)) }
    /// A string, or null.
    package static func optional(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    /// An array of strings.
    package static func strings(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
}
