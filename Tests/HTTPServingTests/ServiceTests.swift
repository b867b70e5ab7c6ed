import Foundation
import HTTPServing
import Runtime
import TestSupport
import Testing

/// Start, drain and end of the server.
@Suite(.timeLimit(.minutes(1)))
struct ServiceTests {
    private static let held = "GET /held HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let echo = "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `draining lets a request in flight finish and says that the connection ends`() async throws {
        let held = HeldHandler()
        try await TestServer.run(routes: { $0.add(.get, "/held", held.answer) }) { server in
            let (client, port) = (try server.connect(), server.port)
            try await client.send(Self.held)
            await held.hasStarted()
            async let drained: Void = server.server.drain(by: Deadline(after: .seconds(5)))
            try await server.waitUntilRefusing(on: port)
            held.release()
            let response = try await client.response()
            #expect(response.body == "held")
            #expect(response["connection"] == "close")
            #expect(try await client.isClosedByPeer())
            await drained
            #expect(await held.ending() == .released)
        }
    }

    @Test func `draining closes idle connections at once and does not wait for its deadline`() async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try await client.send(Self.echo)
            _ = try await client.response()
            let began = Instant.now
            await server.server.drain(by: Deadline(after: .seconds(10)))
            #expect(Instant.now.since(began) < .seconds(2))
            #expect(try await client.isClosedByPeer())
        }
    }

    @Test func `a request of which a part has arrived is still answered`() async throws {
        try await TestServer.run { server in
            let (client, port) = (try server.connect(), server.port)
            try await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
            _ = try await client.receive(through: "\r\n\r\n")
            async let drained: Void = server.server.drain(by: Deadline(after: .seconds(5)))
            try await server.waitUntilRefusing(on: port)
            try await client.send("hello")
            let response = try await client.response()
            #expect(response.body == "POST /echo [] hello")
            #expect(response["connection"] == "close")
            await drained
        }
    }

    @Test func `a request whose head is not whole holds up draining for a moment only`() async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try await client.send(Self.echo + "GET /ec")
            #expect(try await client.response().status == 200)
            let began = Instant.now
            await server.server.drain(by: Deadline(after: .seconds(10)))
            #expect(Instant.now.since(began) < .seconds(5))
            #expect(try await client.receiveToEnd().hasPrefix("HTTP/1.1 408 "))
        }
    }

    @Test func `a connection made just before may still send its request`() async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try await server.waitForMetric("hearth_http_connections 1.0")
            async let drained: Void = server.server.drain(by: Deadline(after: .seconds(5)))
            try await client.send(Self.echo)
            #expect(try await client.response().status == 200)
            await drained
        }
    }

    @Test func `what is unfinished at the deadline is cut off and its handler cancelled`() async throws {
        let held = HeldHandler()
        try await TestServer.run(routes: { $0.add(.get, "/held", held.answer) }) { server in
            let client = try server.connect()
            try await client.send(Self.held)
            await held.hasStarted()
            let began = Instant.now
            await server.server.drain(by: Deadline(after: .milliseconds(100)))
            let took = Instant.now.since(began)
            // libevent's clock is a tick behind at most.
            #expect(took >= .milliseconds(90) && took < .seconds(2))
            #expect(await held.ending() == .cancelled)
            #expect(try await client.isClosedByPeer())
        }
    }

    @Test func `a stream at the deadline is cut off`() async throws {
        let produce: @Sendable (any BodyWriter) async throws -> Void = { writer in
            while true { try await writer.write([UInt8](repeating: 120, count: 1 << 20)) }
        }
        let handler: Router.Handler = { _ in HTTPResponse(status: 200, body: .stream(produce)) }
        try await TestServer.run(routes: { $0.add(.get, "/endless", handler) }) { server in
            let client = try server.connect(receiveBuffer: 4_096)
            try await client.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await client.receive(through: "xxxx")
            await server.server.drain(by: Deadline(after: .milliseconds(100)))
            try await server.waitForMetric("hearth_http_requests_in_flight 0.0")
        }
    }

    @Test func `a server may be started and drained many times and leaves no socket`() async throws {
        let loops = EventLoopGroup(count: 2)
        defer { loops.stop() }
        for _ in 0..<40 {
            let server = Self.server(on: loops, port: 0)
            try await server.start()
            let port = server.port
            let client = try RawConnection(port: port)
            try await client.send(Self.echo)
            #expect(try await client.response().status == 404)
            await server.drain(by: Deadline(after: .seconds(2)))
            #expect(try Self.openSockets(port: port) == 0)
            #expect(server.port == 0)
        }
    }

    @Test func `a drained server is released`() async throws {
        let loops = EventLoopGroup(count: 1)
        defer { loops.stop() }
        weak var released: HTTPServer?
        do {
            let server = Self.server(on: loops, port: 0)
            released = server
            try await server.start()
            _ = try RawConnection(port: server.port)
            await server.drain(by: Deadline(after: .seconds(1)))
        }
        #expect(released == nil)
    }

    @Test func `a port that another server uses is an error that names it, and is free again afterwards`() async throws
    {
        let loops = EventLoopGroup(count: 2)
        defer { loops.stop() }
        let first = Self.server(on: loops, port: 0)
        try await first.start()
        let port = first.port
        let second = Self.server(on: loops, port: port)
        let reason = "Address already in use"
        await #expect(throws: HTTPServingError.cannotListen(host: "127.0.0.1", port: port, reason: reason)) {
            try await second.start()
        }
        #expect(second.port == 0)
        await first.drain(by: Deadline(after: .seconds(1)))
        try await second.start()
        #expect(second.port == port)
        await second.drain(by: Deadline(after: .seconds(1)))
    }

    @Test(arguments: [("not an address", 0), ("127.0.0.1", 70_000), ("127.0.0.1", -1), ("192.0.2.1", 0)])
    func `an address that cannot be listened on is an error`(_ host: String, _ port: Int) async throws {
        let loops = EventLoopGroup(count: 1)
        defer { loops.stop() }
        await #expect(throws: HTTPServingError.self) {
            try await Self.server(on: loops, host: host, port: port).start()
        }
    }

    @Test(arguments: ["localhost", "0.0.0.0", "::"])
    func `it listens on every kind of address`(_ host: String) async throws {
        let loops = EventLoopGroup(count: 2)
        defer { loops.stop() }
        let server = Self.server(on: loops, host: host, port: 0)
        try await server.start()
        let client = try RawConnection(port: server.port)
        try await client.send(Self.echo)
        #expect(try await client.response().status == 404)
        await server.drain(by: Deadline(after: .seconds(1)))
    }

    @Test func `a thousand connections are served at once, by both loops`() async throws {
        let onLoop = [Tally(), Tally()]
        let handler: Router.Handler = { _ in
            onLoop[EventLoop.current?.index ?? 0].increase()
            return HTTPResponse(status: 200, body: .bytes([UInt8]("ok".utf8)))
        }
        try await TestServer.run(loops: 2, routes: { $0.add(.get, "/who", handler) }) { server in
            let clients = try (0..<1_000).map { _ in try server.connect() }
            for _ in 0..<2 {
                for client in clients { try await client.send("GET /who HTTP/1.1\r\nHost: a\r\n\r\n") }
                for client in clients { #expect(try await client.response().body == "ok") }
            }
            #expect(onLoop[0].value + onLoop[1].value == 2_000)
            #expect(onLoop[0].value > 0 && onLoop[1].value > 0)
            try await server.waitForMetric("hearth_http_connections 1000.0")
        }
    }

    private static func server(on loops: EventLoopGroup, host: String = "127.0.0.1", port: Int) -> HTTPServer {
        HTTPServer(router: Router(), loops: loops, host: host, port: port, metrics: Metrics()) { failure, _ in
            HTTPResponse(status: failure.status)
        }
    }

    /// Number of this process's sockets with a local port, apart from those that only wait out their last packets.
    ///
    /// Another process may have taken a free port in the meantime.
    private static func openSockets(port: Int) throws -> Int {
        let open = ["01", "03", "08", "0A"]
        let folder = "/proc/self/fd"
        let own = Set(
            try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            }
        )
        let suffix = ":" + String(format: "%04X", port)
        return try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8).split(separator: "\n").count { line in
            let columns = line.split(separator: " ")
            return columns.count > 9 && columns[1].hasSuffix(suffix) && open.contains(String(columns[3]))
                && own.contains("socket:[\(columns[9])]")
        }
    }
}

extension TestServer {
    /// Waits until the server accepts no more on its port.
    fileprivate func waitUntilRefusing(on port: Int) async throws {
        let deadline = Deadline(after: .seconds(40))
        while (try? RawConnection(port: port)) != nil {
            guard !deadline.hasPassed() else { throw MetricNeverSeen(line: "refusing", last: "") }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
