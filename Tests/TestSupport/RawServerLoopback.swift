import Foundation
import Synchronization

/// Sockets on 127.0.0.1.
package enum Loopback {
    /// Listens on a free port.
    package static func listen(backlog: Int32) -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        precondition(bound(descriptor) && Foundation.listen(descriptor, backlog) == 0, "no free port on loopback")
        return (descriptor, port(of: descriptor))
    }

    private static let lastPort = Atomic(20_000 + Int(getpid()) % 10_000)

    /// A port on which nothing listens, and which the system gives only to a caller who names it.
    package static func closedPort() -> Int {
        while true {
            let port = 20_000 + lastPort.add(1, ordering: .relaxed).newValue % 12_000
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            defer { close(descriptor) }
            if withAddress(port: port, { bind(descriptor, $0, $1) == 0 }) { return port }
        }
    }

    /// True if something listens on a port.
    package static func answers(atPort port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        return withAddress(port: port) { connect(descriptor, $0, $1) == 0 }
    }

    /// A socket on its way to a port on loopback; does not wait for the connection.
    package static func beginConnecting(toPort port: Int) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        withAddress(port: port) { _ = connect(descriptor, $0, $1) }
        return descriptor
    }

    /// Number of this process's sockets that are connected to a port on loopback, or were accepted on it.
    package static func sockets(atPort port: Int) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }.filter { peerPort(of: $0) == port }.count
    }

    private static func bound(_ descriptor: Int32) -> Bool {
        withAddress(port: 0) { bind(descriptor, $0, $1) == 0 }
    }

    private static func withAddress<Value>(port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func port(of descriptor: Int32) -> Int {
        port(descriptor, getsockname)
    }

    private static func peerPort(of descriptor: Int32) -> Int {
        port(descriptor, getpeername)
    }

    private static func port(
        _ descriptor: Int32,
        _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &length) == 0 }
        }
        return isKnown && address.sin_family == sa_family_t(AF_INET) ? Int(UInt16(bigEndian: address.sin_port)) : -1
    }
}
