/// A reply whose facts come from the patient's records, never from a model.
package struct RecordAnswer: Sendable, Equatable {
    /// The words, at most 20.
    package let text: String

    /// Makes an answer.
    package init(_ text: String) {
        self.text = text
    }
}
