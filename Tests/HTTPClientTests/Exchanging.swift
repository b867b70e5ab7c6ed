import HTTPClient
import Runtime
import Testing

/// A client for a test, with loops of its own, drained when the test has ended.
func withClient<Result: Sendable>(
    _ settings: HTTPClientSettings = HTTPClientSettings(),
    loops count: Int = 1,
    _ body: (HTTPClient) async throws -> Result
) async throws -> Result {
    let loops = EventLoopGroup(count: count)
    let client = HTTPClient(on: loops, settings)
    let result: Swift.Result<Result, any Error>
    do {
        result = .success(try await body(client))
    } catch {
        result = .failure(error)
    }
    await client.drain(by: Deadline(after: .zero))
    loops.stop()
    return try result.get()
}

/// Time enough for anything that a test expects to happen.
func soon() -> Deadline { Deadline(after: .seconds(40)) }

/// Waits until a condition holds, looking every few milliseconds; false when it never does.
func eventually(_ holds: () -> Bool) async -> Bool {
    let deadline = soon()
    while !deadline.hasPassed() {
        if holds() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return holds()
}

extension HTTPClient {
    /// Sends a GET and reads the whole answer as text.
    func text(_ url: String, by deadline: Deadline = soon()) async throws(TransferError) -> String {
        let response = try await send(OutgoingRequest(.get, url), by: deadline)
        return String(decoding: try await response.collect(upTo: 1 << 20), as: UTF8.self)
    }

    /// Sends a request that is expected to fail, and says how.
    func failure(
        _ request: OutgoingRequest,
        upTo limit: Int = 1 << 20,
        by deadline: Deadline = soon()
    ) async -> TransferError? {
        do {
            _ = try await send(request, by: deadline).collect(upTo: limit)
            return nil
        } catch {
            return error
        }
    }
}
