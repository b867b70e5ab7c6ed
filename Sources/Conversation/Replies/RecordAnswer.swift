/// A reply whose facts come from the patient's records, never from a model.
package struct RecordAnswer: Sendable, Equatable {
    /// The text, at most 20 words.
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}
