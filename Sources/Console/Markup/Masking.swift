package import Conversation

/// The one place that decides who may read patients' words.
///
/// Every text of a patient that the console shows passes through here: what was said and answered, what is remembered, and
/// names. A viewer sees that there is something and how much of it.
package struct Masking: Sendable, Equatable {
    /// Whether words are hidden.
    package let isOn: Bool

    /// The masking of a role.
    package init(for role: Operator.Role) {
        isOn = role < .operator
    }

    /// Words of or about a patient; for a viewer how many there are.
    package func words(_ text: String) -> String {
        guard isOn else { return text }
        let count = text.split(whereSeparator: \.isWhitespace).count
        return count == 1 ? "(1 word hidden)" : "(\(count) words hidden)"
    }

    /// A patient's name; for a viewer the start of the identity.
    package func name(_ name: String, of patient: PatientID) -> String {
        isOn ? "patient \(patient.description.prefix(8))" : name
    }

    /// Words with marks; for a viewer how many words, and the notes of the marks.
    package func marked(_ text: String, _ marks: [MarkedText.Mark]) -> HTML {
        guard isOn else { return "<bdi>\(MarkedText(text, marks).html)</bdi>" }
        return HTML(text: words(text))
    }
}
