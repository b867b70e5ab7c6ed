/// A part of the process that starts in order and drains in the reverse order.
///
/// Has two calls rather than one long `run()`, because the next part may start only once this one can serve it.
package protocol Service: Sendable {
    /// The name in the log and in `readyz`.
    var name: String { get }

    /// Returns once the service can do its work.
    ///
    /// - Throws: The reason as a sentence for the operator; nothing is left half started.
    func start() async throws

    /// Refuses new work, finishes or hands over present work, and frees resources.
    ///
    /// - Parameter deadline: The instant by which it must return; unfinished work is cut short.
    func drain(by deadline: Deadline) async
}
