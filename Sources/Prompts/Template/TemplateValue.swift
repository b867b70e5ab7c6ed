/// A value for rendering a template; its text is never interpreted.
package indirect enum TemplateValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case list([TemplateValue])
    case object(TemplateObject)

    /// True unless the value is null, false, zero, empty text or an empty list.
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

    /// The text in a prompt; nil for a list or an object, which only `json` writes.
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

    /// Writes whole numbers without a fraction, like JSON in other languages.
    static func text(of number: Double) -> String {
        Int(exactly: number).map(String.init) ?? String(number)
    }
}

/// An object's fields in the given order.
package struct TemplateObject: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One field.
    package struct Field: Sendable, Equatable {
        /// The field's name.
        package let name: String
        /// Its value.
        package let value: TemplateValue
    }

    /// The fields.
    package private(set) var fields: [Field] = []

    package init() {}

    init(fields: [Field]) {
        self.fields = fields
    }

    /// Makes an object from the given fields in order; names are distinct.
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
