import CPostgres

/// Asks the server to stop what it works on for a connection; owns the `PGcancel`.
///
/// `@unchecked Sendable`: libpq makes it a copy of the connection's address and key, which nothing changes afterwards, and
/// allows its use from any thread (manual, section 34.7).
final class CancelRequest: @unchecked Sendable {
    private let handle: OpaquePointer

    /// Makes a request for a connection; nil when it is not open.
    init?(of connection: OpaquePointer?) {
        guard let connection, let handle = PQgetCancel(connection) else { return nil }
        self.handle = handle
    }

    deinit { PQfreeCancel(handle) }

    /// Sends the request and waits until the server has closed its connection: the signal has been sent then.
    ///
    /// Blocks; for a worker thread only. Returns nil, or why it could not be sent.
    func send() -> String? {
        var message = [CChar](repeating: 0, count: 256)
        guard PQcancel(handle, &message, Int32(message.count)) == 0 else { return nil }
        return message.withUnsafeBufferPointer { PostgresText.line($0.baseAddress) }
    }
}
