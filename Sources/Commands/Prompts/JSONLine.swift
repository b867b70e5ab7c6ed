import Runtime

/// An object on one line of output, its fields in the order in which they were set.
struct JSONLine: Sendable {
    private var fields: [(name: String, value: String)] = []

    /// A text, or null; reading is not what a line is for.
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

    /// Adds a number.
    mutating func set(_ name: String, _ number: Int) { fields.append((name, "\(number)")) }

    /// Adds a number, or null for one that JSON has no form for.
    mutating func set(_ name: String, _ number: Double) {
        fields.append((name, number.isFinite ? "\(number)" : "null"))
    }

    /// The line.
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
