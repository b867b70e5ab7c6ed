import Foundation
import Runtime

/// Resolves host names on its own thread, because libpq would block an event loop.
package final class HostResolver: Sendable {
    private let threads = WorkerThreads(name: "pg-hosts", count: 1, capacity: 64)

    /// Starts the resolver's thread.
    package init() {}

    /// Fills in `hostaddr` where `host` holds names; leaves sockets and numeric addresses unchanged.
    ///
    /// Each name gets its first address. The names stay, because TLS checks certificates against them.
    ///
    /// - Throws: ``ConnectionFailure/unresolved(host:reason:)``, or `timedOut`.
    func resolve(_ address: PostgresAddress, by deadline: Deadline) async throws(ConnectionFailure) -> PostgresAddress {
        guard let hosts = address.parameters["host"], address.parameters["hostaddr"] == nil else { return address }
        let names = hosts.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !names.allSatisfy({ $0.isEmpty || $0.hasPrefix("/") || $0.hasPrefix("@") }) else { return address }
        let looked: Result<[String], ConnectionFailure>
        do {
            looked = try await threads.run(by: deadline) {
                Result { () throws(ConnectionFailure) in try names.map(Self.lookUp) }
            }
        } catch {
            throw .timedOut
        }
        return address.with("hostaddr", try looked.get().joined(separator: ","))
    }

    private static func lookUp(_ host: String) throws(ConnectionFailure) -> String {
        guard !host.isEmpty, !host.hasPrefix("/") else { return "" }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &found)
        defer { found.map { freeaddrinfo($0) } }
        guard status == 0, let first = found?.pointee else {
            throw .unresolved(host: host, reason: String(cString: gai_strerror(status)))
        }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        getnameinfo(first.ai_addr, first.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }
}
