/// A part of the console with addresses of its own: the live page, the alerts, the rules.
///
/// A page knows its ports and makes ``HTML``; who is signed in, tokens, audit, header fields and the layout are not its
/// matter.
package protocol ConsolePage: Sendable {
    /// What the navigation calls it; nil for a page that is reached from others only.
    var title: String? { get }
    /// The segment of the path below `/console` at which it begins, such as "alerts".
    var place: String { get }
    /// Its addresses; the first one is where the navigation leads.
    var routes: [ConsoleRoute] { get }
}
