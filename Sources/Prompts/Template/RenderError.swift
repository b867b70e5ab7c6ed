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

extension RenderError: CustomStringConvertible {
    /// A clause for whoever wrote the template, with its place first where it has one.
    package var description: String {
        switch self {
        case .missingVariable(let name, let place): "\(place): the input lacks \"\(name)\""
        case .notText(let name, let place): "\(place): \"\(name)\" is a list or an object; write it with json"
        case .notAList(let name, let place): "\(place): \"\(name)\" is not a list"
        case .repeatedHistory(let place): "\(place): the history stands in the prompt a second time"
        case .tooLong(let limit): "the prompt is longer than \(limit) bytes"
        case .tooManySteps(let limit): "the prompt has more than \(limit) parts, those of loops counted each time"
        case .missingPartial(let name, let place): "\(place): there is no partial \"\(name)\""
        }
    }
}
