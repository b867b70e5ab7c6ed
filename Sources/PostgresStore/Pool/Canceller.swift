import Runtime

/// Sends cancel requests from its own threads, because libpq blocks while sending them.
final class Canceller: Sendable {
    private let threads = WorkerThreads(name: "pg-cancel", count: 2, capacity: 64)

    /// Sends a request within two seconds; returns the reason for a failure, or nil.
    func send(_ request: CancelRequest) async -> String? {
        do throws(WorkerError) {
            return try await threads.run(by: Deadline(after: .seconds(2))) { request.send() }
        } catch {
            return "\(error)"
        }
    }
}
