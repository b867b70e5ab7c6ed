package import Conversation

/// The one place that decides who may read patients' words.
///
/// All patient text that the console shows passes through here: messages, replies, memories and names. A viewer sees
/// only that a text exists and how long it is.
package struct Masking: Sendable, Equatable {
    /// Whether patients' words are hidden.
    package let isOn: Bool

    /// Creates the masking for a role.
    package init(for role: Operator.Role) {
        isOn = role < .operator
    }

    /// Words of or about a patient; for a viewer only their number.
    package func words(_ text: String) -> String {
        guard isOn else { return text }
        let count = text.split(whereSeparator: \.isWhitespace).count
        return count == 1 ? "(1 word hidden)" : "(\(count) words hidden)"
    }

    /// A patient's name; for a viewer the start of the identifier.
    package func name(_ name: String, of patient: PatientID) -> String {
        isOn ? "patient \(patient.description.prefix(8))" : name
    }

    /// Highlighted words; for a viewer only their number.
    package func marked(_ text: String, _ marks: [MarkedText.Mark]) -> HTML {
        guard isOn else { return "<bdi>\(MarkedText(text, marks).html)</bdi>" }
        return HTML(text: words(text))
    }
}
