import Runtime

/// A JSON object on one line, with its fields in insertion order.
struct JSONLine: Sendable {
    private var fields: [(name: String, value: String)] = []

    /// Sets a text, or null; the getter always returns nil.
    subscript(name: String) -> String? {
        get { fields.first { $0.name == name }?.value }
        set {
            var text = "null"
            if let newValue {
                text = ""
                text.appendJSONString(newValue)
            }
            fields.append((name, text))
        }
    }

    /// Adds an integer.
    mutating func set(_ name: String, _ number: Int) { fields.append((name, "\(number)")) }

    /// Adds a number; null if it is not finite.
    mutating func set(_ name: String, _ number: Double) {
        fields.append((name, number.isFinite ? "\(number)" : "null"))
    }

    /// The object as JSON.
    var text: String {
        var text = "{"
        for field in fields {
            if text.utf8.count > 1 { text += "," }
            text.appendJSONString(field.name)
            text += ":\(field.value)"
        }
        return text + "}"
    }
}
