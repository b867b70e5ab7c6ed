package import HTTPServing
package import Runtime

/// Response of a page.
package enum ConsoleAnswer: Sendable {
    /// A page in the console's layout.
    ///
    /// - Parameter scripts: Scripts that the page needs besides the common one.
    case page(title: String, HTML, scripts: [Script] = [])
    /// The same page for a form with invalid fields: status 422.
    case invalid(title: String, HTML, scripts: [Script] = [])
    /// A fragment that a script inserts into a page.
    case fragment(HTML)
    /// A redirect to another page of the console, which shows the notice once.
    case redirect(ConsolePath, notice: String = "")
    /// JSON for a script.
    case json(JSONValue)
    /// Server-sent events until the body's closure returns.
    case events(@Sendable (any BodyWriter) async throws -> Void)
    /// A file download.
    case file(name: String, mediaType: String, [UInt8])
}
