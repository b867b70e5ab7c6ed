/// A value that a template is rendered with; it stays a value, whatever its text looks like.
package indirect enum TemplateValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case list([TemplateValue])
    case object(TemplateObject)

    /// Whether a condition holds for it: everything but null, false, zero, empty text and an empty list.
    package var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .integer(let value): value != 0
        case .number(let value): value != 0 && !value.isNaN
        case .string(let text): !text.isEmpty
        case .list(let elements): !elements.isEmpty
        case .object: true
        }
    }

    /// The text that it has in a prompt; nil for a list or an object, which only `json` writes.
    package var text: String? {
        switch self {
        case .null: ""
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let value): Self.text(of: value)
        case .string(let text): text
        case .list, .object: nil
        }
    }

    /// Whole numbers are written without a fraction, as JSON of other languages writes them.
    static func text(of number: Double) -> String {
        Int(exactly: number).map(String.init) ?? String(number)
    }
}

/// The fields of an object, in the order in which they were given.
package struct TemplateObject: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One field.
    package struct Field: Sendable, Equatable {
        /// The field's name.
        package let name: String
        /// Its value.
        package let value: TemplateValue
    }

    /// Every field.
    package private(set) var fields: [Field] = []

    /// Makes an empty object.
    package init() {}

    /// Makes an object of fields whose names differ.
    init(fields: [Field]) {
        self.fields = fields
    }

    /// Makes an object of the given fields, in their order; their names differ.
    package init(dictionaryLiteral elements: (String, TemplateValue)...) {
        self.init(fields: elements.map { Field(name: $0.0, value: $0.1) })
    }

    /// The value of a name; setting replaces it, nil removes it.
    ///
    /// Objects are small, so the search is linear.
    package subscript(_ name: String) -> TemplateValue? {
        get { fields.first { $0.name == name }?.value }
        set {
            let place = fields.firstIndex { $0.name == name }
            switch (place, newValue) {
            case (let place?, let value?): fields[place] = Field(name: name, value: value)
            case (let place?, nil): fields.remove(at: place)
            case (nil, let value?): fields.append(Field(name: name, value: value))
            case (nil, nil): break
            }
        }
    }
}
