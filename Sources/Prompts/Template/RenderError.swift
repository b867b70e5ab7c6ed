/// Reasons why a template could not be rendered with its values.
package enum RenderError: Error, Equatable, Sendable {
    /// A value that the template writes is missing.
    case missingVariable(String, at: SourcePlace)
    /// A list or an object occurs where text is needed.
    case notText(String, at: SourcePlace)
    /// Another value occurs where a list is needed.
    case notAList(String, at: SourcePlace)
    /// The prompt contains the history twice.
    case repeatedHistory(at: SourcePlace)
    /// The rendered text is longer than `limit` bytes.
    case tooLong(limit: Int)
    /// Rendering took more than `limit` nodes.
    case tooManySteps(limit: Int)
    /// A partial is missing, which linking prevents.
    case missingPartial(String, at: SourcePlace)
}

extension RenderError: CustomStringConvertible {
    /// A clause for the template's author, with the position first when known.
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
