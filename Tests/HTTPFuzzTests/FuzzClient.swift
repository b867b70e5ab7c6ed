import Foundation

/// Sends bytes on a connection of their own and tells what the server took them for.
struct FuzzClient {
    /// Faults of the connection, apart from its answers.
    enum Failure: Error {
        case cannotConnect(String)
        case noEnd(after: String)
        case notHTTP(String)
    }

    let port: Int
    /// Loopback address to connect to, so that ports waiting out their last packets do not run short.
    let address: UInt32

    /// Sends the pieces, ends the sending side and reads to the end; the requests that were answered as understood.
    func seen(_ pieces: [ArraySlice<UInt8>]) throws -> [SeenRequest] {
        let descriptor = try connected()
        defer { close(descriptor) }
        for piece in pieces {
            let sent = piece.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if sent != piece.count { break }
        }
        shutdown(descriptor, Int32(SHUT_WR))
        return try Self.requests(in: received(descriptor))
    }

    private func connected() throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var (on, patience) = (Int32(1), timeval(tv_sec: 20, tv_usec: 0))
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var peer = sockaddr_in()
        peer.sin_family = sa_family_t(AF_INET)
        peer.sin_port = in_port_t(port).bigEndian
        peer.sin_addr.s_addr = (0x7F00_0001 + address).bigEndian
        let status = withUnsafeBytes(of: &peer) { bytes in
            connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        guard status == 0 else {
            close(descriptor)
            throw Failure.cannotConnect(String(cString: strerror(errno)))
        }
        return descriptor
    }

    private func received(_ descriptor: Int32) throws -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 { all += buffer.prefix(count) }
            if count == 0 || count < 0 && errno == ECONNRESET { return all }
            guard count > 0 else { throw Failure.noEnd(after: String(decoding: all, as: UTF8.self)) }
        }
    }

    /// Every answer says in `X-Seen` what the request was taken for; one without it is a refusal and the last.
    static func requests(in bytes: [UInt8]) throws -> [SeenRequest] {
        var requests: [SeenRequest] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.starts(with: "HTTP/1.".utf8), let end = rest.firstRange(of: [13, 10, 13, 10]) else {
                throw Failure.notHTTP(String(decoding: rest, as: UTF8.self))
            }
            let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            rest = rest[end.upperBound...]
            if lines[0] == "HTTP/1.1 100 Continue" { continue }
            let seen = lines.first { $0.hasPrefix("X-Seen: ") }?.dropFirst(8).components(separatedBy: " ")
            let length = lines.first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) }
            guard let seen, seen.count == 3, let fields = UInt64(seen[2]), let length else {
                guard lines.contains("X-Refused: yes") else { throw Failure.notHTTP(lines.joined(separator: "\n")) }
                return requests
            }
            let isHead = seen[0] == "HEAD"
            guard isHead || rest.count >= length else { throw Failure.notHTTP("a body that is cut short") }
            let body = isHead ? [] : [UInt8](rest.prefix(length))
            rest = rest.dropFirst(body.count)
            let path = seen[1].removingPercentEncoding ?? "?"
            requests.append(SeenRequest(method: seen[0], path: path, fields: fields, body: body))
        }
        return requests
    }
}
