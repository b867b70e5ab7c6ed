import Synchronization

/// Counts what the process serves at once, over all its loops, so that the limits hold for all together.
final class Admission: Sendable {
    private let connections = Atomic(0)
    private let requests = Atomic(0)

    /// Counts a connection that was accepted and says how many there are now.
    ///
    /// One over the limit counts as well, because it lives on until its refusal has been sent.
    func addConnection() -> Int {
        connections.add(1, ordering: .relaxed).newValue
    }

    /// Counts off a connection.
    func removeConnection() {
        connections.subtract(1, ordering: .relaxed)
    }

    /// Counts a request if it is within the limit.
    func addRequest(atMost limit: Int) -> Bool {
        guard requests.add(1, ordering: .relaxed).newValue > limit else { return true }
        removeRequest()
        return false
    }

    /// Counts off a request that was counted.
    func removeRequest() {
        requests.subtract(1, ordering: .relaxed)
    }
}
