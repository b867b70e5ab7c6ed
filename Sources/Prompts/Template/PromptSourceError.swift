/// A fault in a prompt's source, with its position.
package struct PromptSourceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file's name as given.
    package let file: String
    /// The position in the file.
    package let position: SourcePosition
    /// The fault.
    package let fault: PromptFault

    package init(file: String, _ position: SourcePosition, _ fault: PromptFault) {
        self.file = file
        self.position = position
        self.fault = fault
    }

    /// The form that compilers use: "companion.prompt:12:5: …".
    package var description: String { "\(file):\(position): \(fault)" }
}
