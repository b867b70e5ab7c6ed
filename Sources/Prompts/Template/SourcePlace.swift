/// A position in one of several source files.
package struct SourcePlace: Sendable, Equatable, CustomStringConvertible {
    /// The file.
    package let file: String
    /// The position in the file.
    package let position: SourcePosition

    package init(file: String, _ position: SourcePosition) {
        self.file = file
        self.position = position
    }

    /// The form that compilers use: "companion.prompt:12:5".
    package var description: String { "\(file):\(position)" }
}
