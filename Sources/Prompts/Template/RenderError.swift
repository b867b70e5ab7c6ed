/// Why a template could not be rendered with the values that it was given.
package enum RenderError: Error, Equatable, Sendable {
    /// A value that the template writes was not given.
    case missingVariable(String, at: SourcePlace)
    /// A list or an object stands where text must.
    case notText(String, at: SourcePlace)
    /// Something else stands where a list must.
    case notAList(String, at: SourcePlace)
    /// The history stands in the prompt twice.
    case repeatedHistory(at: SourcePlace)
    /// More was rendered than `limit` bytes.
    case tooLong(limit: Int)
    /// More nodes were rendered than `limit`.
    case tooManySteps(limit: Int)
    /// A partial is not there, which linking rules out.
    case missingPartial(String, at: SourcePlace)
}
