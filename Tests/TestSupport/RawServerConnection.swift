import Foundation
import Synchronization

/// A request as a ``RawServer`` read it.
package struct RawServerRequest: Sendable {
    /// The request line and the header fields, as they were sent.
    package let head: String
    /// The body, as long as `Content-Length` said.
    package let body: [UInt8]

    /// The request line.
    package var line: String { String(head.prefix { !$0.isNewline }) }

    /// The values of a header field, whatever its case.
    package func values(_ name: String) -> [String] {
        head.split(whereSeparator: \.isNewline).compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
    }
}

/// One connection of a ``RawServer``, driven by its script with calls that block.
///
/// `@unchecked Sendable`: what has been read is touched by the script's thread alone; the descriptor's end is guarded by
/// its mutex.
package final class RawServerConnection: @unchecked Sendable {
    private static let patience: Int32 = 10_000
    private static let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)

    /// Number of the connection at its server, from 1.
    package let number: Int
    private let descriptor: Mutex<Int32?>
    private var unread: [UInt8] = []

    init(_ descriptor: Int32, number: Int) {
        self.number = number
        self.descriptor = Mutex(descriptor)
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Reads one request with its body; nil when the client has gone.
    package func readRequest() -> RawServerRequest? {
        let blank = Array("\r\n\r\n".utf8)
        while true {
            if let end = unread.firstRange(of: blank)?.upperBound {
                return finishRequest(headEnd: end)
            }
            guard readMore() else { return nil }
        }
    }

    /// Sends text; returns true if the client was there to take it.
    @discardableResult
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends bytes; returns true if the client was there to take them.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            guard let descriptor = ready(for: Int16(POLLOUT)) else { return false }
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Self.flags)
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Sends an answer of status 200 with a body and its length.
    @discardableResult
    package func answer(_ body: String) -> Bool {
        send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Sends one chunk of a chunked body; an empty one ends it.
    @discardableResult
    package func sendChunk(_ text: String) -> Bool {
        send("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
    }

    /// Waits until the client closes the connection; returns true if it did.
    package func waitForClientToLeave() -> Bool {
        while readMore() { unread = [] }
        return ready(for: Int16(POLLIN)) != nil
    }

    /// Closes the connection in an orderly way.
    package func close() {
        descriptor.withLock { descriptor in
            if let open = descriptor { Foundation.close(open) }
            descriptor = nil
        }
    }

    /// Breaks the connection with a reset.
    package func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        descriptor.withLock { descriptor in
            guard let open = descriptor else { return }
            setsockopt(open, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
            Foundation.close(open)
            descriptor = nil
        }
    }

    /// From any thread: ends both directions, so that the script's calls return.
    func breakOff() {
        descriptor.withLock { descriptor in
            if let open = descriptor { shutdown(open, Int32(SHUT_RDWR)) }
        }
    }

    private func finishRequest(headEnd: Int) -> RawServerRequest? {
        let request = RawServerRequest(head: String(decoding: unread[..<headEnd], as: UTF8.self), body: [])
        let length = request.values("content-length").first.flatMap { Int($0) } ?? 0
        while unread.count < headEnd + length {
            guard readMore() else { return nil }
        }
        defer { unread.removeFirst(headEnd + length) }
        return RawServerRequest(head: request.head, body: Array(unread[headEnd..<headEnd + length]))
    }

    private func readMore() -> Bool {
        guard let descriptor = ready(for: Int16(POLLIN)) else { return false }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        unread += buffer[..<count]
        return true
    }

    /// True if the client has left so much unread that nothing more can be sent, for 20 ms at least.
    package var isHeldBack: Bool {
        guard let open = descriptor.withLock({ $0 }) else { return false }
        var poll = pollfd(fd: open, events: Int16(POLLOUT), revents: 0)
        return Foundation.poll(&poll, 1, 20) == 0
    }

    private func ready(for events: Int16) -> Int32? {
        guard let open = descriptor.withLock({ $0 }) else { return nil }
        var poll = pollfd(fd: open, events: events, revents: 0)
        return Foundation.poll(&poll, 1, Self.patience) == 1 ? open : nil
    }
}
