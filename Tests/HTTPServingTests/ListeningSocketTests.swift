import Foundation
import Runtime
import TestSupport
import Testing

@testable import HTTPServing

/// The sockets that the loops listen on.
@Suite(.timeLimit(.minutes(1)))
struct ListeningSocketTests {
    @Test func `an accepted connection sends small chunks without waiting`() throws {
        let sockets = try ListeningSocket.open(2, host: "127.0.0.1", port: 0)
        defer { for socket in sockets { close(socket) } }
        let ports = Set(sockets.map(ListeningSocket.port(of:)))
        #expect(ports.count == 1)
        let clients = try (0..<32).map { _ in try RawConnection(port: ports.first ?? 0) }
        var accepted = 0
        for socket in sockets {
            while case let connection = accept(socket, nil, nil), connection >= 0 {
                accepted += 1
                var isOn: Int32 = 0
                var length = socklen_t(MemoryLayout<Int32>.size)
                #expect(getsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, &length) == 0)
                #expect(isOn != 0)
                close(connection)
            }
        }
        #expect(accepted == clients.count)
    }

    @Test func `a server that finds no descriptor left accepts again when there are`() async {
        await #expect(processExitsWith: .success) {
            try await TestServer.run { server in
                let metrics = server.metrics
                let clients = try (0..<8).map { _ in try server.connect() }
                // Whoever is answered was accepted, and the loop no longer tries to accept, for which it takes a
                // descriptor.
                for client in clients {
                    try await client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")
                    guard try await client.response().status == 200 else { exit(2) }
                }
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                let free = open("/dev/null", O_RDONLY)
                close(free)
                let usual = limit.rlim_cur
                limit.rlim_cur = rlim_t(free) + 1
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                let waiting = try server.connect()
                // A sleep may take a descriptor too.
                while metrics.exposition.contains("hearth_http_accept_failures_total 0") { await Task.yield() }
                limit.rlim_cur = usual
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                try await waiting.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")
                guard try await waiting.response().status == 200, clients.count == 8 else { exit(3) }
            }
        }
    }
}
