/// A part of the process that is started in order and drained in the reverse order.
///
/// A pair of calls rather than one long `run()`, because the next part may only start when this one can serve it.
package protocol Service: Sendable {
    /// What the log and `readyz` call it.
    var name: String { get }

    /// Returns once the service can do its work.
    ///
    /// - Throws: What keeps it from starting, as a sentence for the operator; nothing is left half started.
    func start() async throws

    /// Takes no new work, finishes or hands over what it has, and frees what it holds.
    ///
    /// - Parameter deadline: When it must have returned; what is unfinished then is cut short.
    func drain(by deadline: Deadline) async
}
