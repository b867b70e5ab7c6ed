import Foundation

/// Behaviour of a raw connection's peer, in place of the awaited bytes.
package enum RawConnectionError: Error, Equatable {
    /// The connection could not be made; the reason is the system's.
    case cannotConnect(String)
    /// The peer closed, after these bytes.
    case closed(after: String)
    /// The time to wait was over, after these bytes.
    case timedOut(after: String)
    /// The connection broke; the reason is the system's.
    case broken(String)
    /// The bytes are no HTTP response.
    case notHTTP(String)
}

/// A blocking TCP client that sends exactly the bytes it is given, for tests of what a server does with them.
///
/// Every call that waits runs on a thread of its own and gives up after `patience`.
package final class RawConnection: @unchecked Sendable {
    // `@unchecked Sendable`: a test uses it from one task at a time, and `queue` runs one call after another.
    private let descriptor: Int32
    private let patience: Duration
    private let queue = DispatchQueue(label: "raw connection")
    private var received: [UInt8] = []

    /// Connects to a port of this machine.
    ///
    /// - Parameter receiveBuffer: The size of the socket's receive buffer in bytes, small for a client that reads slowly.
    package init(port: Int, patience: Duration = .seconds(5), receiveBuffer: Int32? = nil) throws {
        self.patience = patience
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafeBytes(of: &address) { bytes in
            connect(
                descriptor,
                bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
                socklen_t(MemoryLayout<sockaddr_in>.size)
            )
        }
        // Every property has its value, so that the release closes the socket although this throws.
        guard status == 0 else { throw RawConnectionError.cannotConnect(String(cString: strerror(errno))) }
    }

    deinit { close(descriptor) }

    /// Sends text, whole.
    package func send(_ text: String) async throws {
        try await send([UInt8](text.utf8))
    }

    /// Sends bytes, whole.
    package func send(_ bytes: [UInt8]) async throws {
        try await onQueue { connection in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw RawConnectionError.broken(String(cString: strerror(errno))) }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Ends the sending side, and continues to read.
    package func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes with a reset instead of an end, as a process does that is killed with bytes unread.
    package func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        hangUp()
    }

    /// Closes the connection; nothing may be asked of it afterwards.
    package func hangUp() {
        // The descriptor's number stays taken until the release, so that no other socket gets it meanwhile.
        let null = open("/dev/null", O_RDONLY)
        dup2(null, descriptor)
        close(null)
    }

    /// Receives until the text has arrived and returns everything up to its end.
    package func receive(through text: String) async throws -> String {
        let mark = [UInt8](text.utf8)
        return try await onQueue { connection in
            while true {
                if let end = connection.received.firstRange(of: mark)?.upperBound {
                    return connection.take(end)
                }
                guard try connection.receiveMore() else {
                    throw RawConnectionError.closed(after: connection.take(connection.received.count))
                }
            }
        }
    }

    /// Receives until the peer closes and returns everything.
    package func receiveToEnd() async throws -> String {
        try await onQueue { connection in
            while try connection.receiveMore() {}
            return connection.take(connection.received.count)
        }
    }

    /// Receives one response, with its body by `Content-Length`, chunks or the connection's end.
    ///
    /// - Parameter toHead: True for the answer to a HEAD request, which has no body.
    package func response(toHead: Bool = false) async throws -> RawResponse {
        try await onQueue { connection in
            while true {
                if let (response, end) = try RawResponse.parse(connection.received, toHead: toHead, isWhole: false) {
                    _ = connection.take(end)
                    return response
                }
                guard try connection.receiveMore() else { break }
            }
            let all = connection.received
            connection.received = []
            if let (response, _) = try RawResponse.parse(all, toHead: toHead, isWhole: true) { return response }
            throw RawConnectionError.closed(after: String(decoding: all, as: UTF8.self))
        }
    }

    /// True if bytes, or the connection's end, have arrived or do within a time.
    package func hasReceived(within time: Duration) async throws -> Bool {
        try await onQueue { $0.isReadable(within: time) }
    }

    /// True if the peer closes without sending more.
    package func isClosedByPeer() async throws -> Bool {
        try await onQueue { connection in
            do {
                return try !connection.receiveMore() && connection.received.isEmpty
            } catch RawConnectionError.broken {
                return true
            }
        }
    }

    private func take(_ count: Int) -> String {
        defer { received.removeFirst(count) }
        return String(decoding: received.prefix(count), as: UTF8.self)
    }

    private func isReadable(within time: Duration) -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = time.components.seconds * 1_000 + time.components.attoseconds / 1_000_000_000_000_000
        return poll(&watched, 1, Int32(milliseconds)) > 0
    }

    /// Waits for bytes; false at the end of the connection.
    private func receiveMore() throws -> Bool {
        guard isReadable(within: patience) else {
            throw RawConnectionError.timedOut(after: String(decoding: received, as: UTF8.self))
        }
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw RawConnectionError.broken(String(cString: strerror(errno))) }
        received.append(contentsOf: buffer.prefix(count))
        return count > 0
    }

    private func onQueue<Value: Sendable>(
        _ body: @escaping @Sendable (RawConnection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in continuation.resume(with: Result { try body(self) }) }
        }
    }
}
