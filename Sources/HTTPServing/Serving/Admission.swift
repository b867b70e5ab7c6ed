import Synchronization

/// Counts connections and requests over all loops, so that the limits apply to the process.
final class Admission: Sendable {
    private let connections = Atomic(0)
    private let requests = Atomic(0)

    /// Counts an accepted connection and returns the current number.
    ///
    /// A connection over the limit counts too, because it lives until its refusal was sent.
    func addConnection() -> Int {
        connections.add(1, ordering: .relaxed).newValue
    }

    /// Removes a connection from the count.
    func removeConnection() {
        connections.subtract(1, ordering: .relaxed)
    }

    /// Counts a request if the limit allows it.
    func addRequest(atMost limit: Int) -> Bool {
        guard requests.add(1, ordering: .relaxed).newValue > limit else { return true }
        removeRequest()
        return false
    }

    /// Removes a counted request from the count.
    func removeRequest() {
        requests.subtract(1, ordering: .relaxed)
    }
}
