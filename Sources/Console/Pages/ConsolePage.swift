/// A section of the console with its own routes: live turns, alerts, rules.
///
/// A page calls its ports and renders ``HTML``. Sessions, tokens, audit, header fields and the layout are handled by
/// ``ConsoleReception``.
package protocol ConsolePage: Sendable {
    /// Title in the navigation; nil for a page that is reached only from others.
    var title: String? { get }
    /// First path segment below `/console`, such as "alerts".
    var place: String { get }
    /// Routes of the page; the navigation links to the first.
    var routes: [ConsoleRoute] { get }
}
