/// What is wrong in a prompt's source, and where.
package struct PromptSourceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file, as it was given.
    package let file: String
    /// Where in the file.
    package let position: SourcePosition
    /// What is wrong.
    package let fault: PromptFault

    /// Makes an error.
    package init(file: String, _ position: SourcePosition, _ fault: PromptFault) {
        self.file = file
        self.position = position
        self.fault = fault
    }

    /// As compilers write it: "companion.prompt:12:5: …".
    package var description: String { "\(file):\(position): \(fault)" }
}
