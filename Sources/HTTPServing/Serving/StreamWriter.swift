import Runtime

/// Writes a streamed body to its connection.
struct StreamWriter: BodyWriter {
    private let acceptor: Acceptor
    private let connection: Int

    init(_ acceptor: Acceptor, connection: Int) {
        self.acceptor = acceptor
        self.connection = connection
    }

    func write(_ chunk: [UInt8]) async throws(HTTPServingError) {
        guard !chunk.isEmpty else { return }
        let written = OneShot<Bool>()
        await acceptor.write(chunk, to: connection, written)
        guard await written.value(ifCancelled: false) else { throw .peerGone }
    }
}
