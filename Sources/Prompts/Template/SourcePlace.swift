/// A place in one of several source files.
package struct SourcePlace: Sendable, Equatable, CustomStringConvertible {
    /// The file.
    package let file: String
    /// Where in it.
    package let position: SourcePosition

    /// Makes a place.
    package init(file: String, _ position: SourcePosition) {
        self.file = file
        self.position = position
    }

    /// As compilers write it: "companion.prompt:12:5".
    package var description: String { "\(file):\(position)" }
}
