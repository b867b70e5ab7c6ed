import Foundation
import Runtime

/// Turns host names into addresses on a thread of its own, for libpq would do it in the middle of a loop.
package final class HostResolver: Sendable {
    private let threads = WorkerThreads(name: "pg-hosts", count: 1, capacity: 64)

    /// Starts the resolver.
    package init() {}

    /// The address with `hostaddr` filled in where `host` holds names; unchanged for sockets and numeric addresses.
    ///
    /// Each name gets its first address; the names stay, for TLS checks certificates against them.
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
