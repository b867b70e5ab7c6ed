import Runtime

/// Sends cancel requests from threads of its own, for libpq blocks while it does.
final class Canceller: Sendable {
    private let threads = WorkerThreads(name: "pg-cancel", count: 2, capacity: 64)

    /// Sends a request; returns why it could not be sent, or nil.
    ///
    /// Waits two seconds at most.
    func send(_ request: CancelRequest) async -> String? {
        do throws(WorkerError) {
            return try await threads.run(by: Deadline(after: .seconds(2))) { request.send() }
        } catch {
            return "\(error)"
        }
    }
}
