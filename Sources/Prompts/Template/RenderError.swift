/// Why a template could not be rendered with the values that it was given.
package enum RenderError: Error, Equatable, Sendable {
    /// A value that the template writes was not given.
    case missingVariable(String, at: SourceLocation)
    /// A list or an object stands where text must.
    case notText(String, at: SourceLocation)
    /// Something else stands where a list must.
    case notAList(String, at: SourceLocation)
    /// The history stands in the prompt twice.
    case repeatedHistory(at: SourceLocation)
    /// More was rendered than `limit` bytes.
    case tooLong(limit: Int)
    /// More nodes were rendered than `limit`.
    case tooManySteps(limit: Int)
    /// A partial is not there, which linking rules out.
    case missingPartial(String, at: SourceLocation)
}

/// A place in one of several source files.
package struct SourceLocation: Sendable, Equatable, CustomStringConvertible {
    /// The file.
    package let file: String
    /// Where in it.
    package let position: SourcePosition

    /// Makes a location.
    package init(file: String, _ position: SourcePosition) {
        self.file = file
        self.position = position
    }

    /// As compilers write it: "companion.prompt:12:5".
    package var description: String { "\(file):\(position)" }
}
