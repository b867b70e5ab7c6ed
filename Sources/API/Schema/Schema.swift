/// What a JSON value looks like: checked on what comes in, published in OpenAPI, and held against what goes out.
///
/// One description for all three, so that nothing is enforced that is not declared, nor declared without being enforced.
/// What JSON Schema cannot say (a time relative to now, a length answered with 413) is said in `note`.
package struct Schema: Sendable {
    /// What kind of value.
    package indirect enum Shape: Sendable {
        case anything
        case boolean
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Double>)
        case string(TextRule)
        case array(Schema, count: ClosedRange<Int>)
        /// An array with at least one element of a narrower kind.
        case arrayContaining(Schema, count: ClosedRange<Int>, atLeastOne: Schema)
        case object([Field])
        /// A value that is one of several kinds.
        case either([Schema])
    }

    /// A member of an object.
    package struct Field: Sendable {
        /// The member's name.
        package let name: String
        /// What it must be.
        package let schema: Schema
        /// Whether it must be there.
        package let isRequired: Bool
    }

    /// What kind of value.
    package private(set) var shape: Shape
    /// Whether null may stand in its place; an optional member that is null counts as missing.
    package private(set) var isNullable = false
    /// A sentence for whoever reads the document; empty when the name says it all.
    package private(set) var note = ""
    /// What the document calls it when it is described once and referred to; nil when it is described in place.
    package private(set) var name: String?

    private init(_ shape: Shape) {
        self.shape = shape
    }

    /// Any value at all.
    package static let anything = Schema(.anything)
    /// True or false.
    package static let boolean = Schema(.boolean)

    /// A whole number.
    package static func integer(_ range: ClosedRange<Int>) -> Schema { Schema(.integer(range)) }

    /// A number, whole or not.
    package static func number(_ range: ClosedRange<Double>) -> Schema { Schema(.number(range)) }

    /// A string that keeps a rule.
    package static func string(_ rule: TextRule = .any) -> Schema { Schema(.string(rule)) }

    /// An array of as many elements as the range allows.
    package static func array(_ element: Schema, count: ClosedRange<Int> = 0...Int.max) -> Schema {
        Schema(.array(element, count: count))
    }

    /// An array with at least one element of a narrower kind.
    package static func array(_ element: Schema, count: ClosedRange<Int>, atLeastOne: Schema) -> Schema {
        Schema(.arrayContaining(element, count: count, atLeastOne: atLeastOne))
    }

    /// An object with these members; others are ignored.
    package static func object(_ fields: Field...) -> Schema { Schema(.object(fields)) }

    /// A value of one of several kinds.
    package static func either(_ schemas: Schema...) -> Schema { Schema(.either(schemas)) }

    /// The same, or null.
    package var orNull: Schema { with { $0.isNullable = true } }

    /// The same with a sentence about it.
    package func noted(_ note: String) -> Schema { with { $0.note = note } }

    /// The same, described once under a name.
    package func named(_ name: String) -> Schema { with { $0.name = name } }

    /// The same without null.
    var withoutNull: Schema { with { $0.isNullable = false } }

    /// The same without its sentence.
    var withoutNote: Schema { with { $0.note = "" } }

    private func with(_ change: (inout Schema) -> Void) -> Schema {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Schema.Field {
    /// A member that must be there.
    package static func required(_ name: String, _ schema: Schema) -> Schema.Field {
        Schema.Field(name: name, schema: schema, isRequired: true)
    }

    /// A member that may be missing or null.
    package static func optional(_ name: String, _ schema: Schema) -> Schema.Field {
        Schema.Field(name: name, schema: schema.orNull, isRequired: false)
    }
}
