package import HTTPServing
package import Runtime

/// What a page answers.
package enum ConsoleAnswer: Sendable {
    /// A page in the console's layout.
    ///
    /// - Parameter scripts: The modules that it wants besides the one of every page.
    case page(title: String, HTML, scripts: [Script] = [])
    /// The same, for a form whose fields are not right: status 422.
    case invalid(title: String, HTML, scripts: [Script] = [])
    /// A piece of a page, which a script puts into one.
    case fragment(HTML)
    /// Another place of the console, with a sentence for the top of it.
    case redirect(ConsolePath, notice: String = "")
    /// A value for a script.
    case json(JSONValue)
    /// Server-sent events until the body's closure returns.
    case events(@Sendable (any BodyWriter) async throws -> Void)
    /// A file to keep.
    case file(name: String, mediaType: String, [UInt8])
}
