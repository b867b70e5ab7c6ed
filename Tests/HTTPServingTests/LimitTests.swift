import HTTPServing
import Runtime
import TestSupport
import Testing

/// The bounds of the server: each is kept, says what it is, and leaves the server well.
@Suite(.timeLimit(.minutes(1)))
struct LimitTests {
    @Test func `a request line is as long as its limit and no longer`() async throws {
        var limits = HTTPLimits()
        limits.requestLineBytes = 100
        try await TestServer.run(limits: limits) { server async throws in
            let fixed = "GET /echo/ HTTP/1.1".utf8.count
            let longest = String(repeating: "x", count: 100 - fixed)
            #expect(try await server.answer(to: Self.get("/echo/\(longest)")).status == 200)
            #expect(try await server.answer(to: Self.get("/echo/\(longest)x")).status == 414)
        }
    }

    @Test func `a request line without end is refused before its time is over`() async throws {
        try await TestServer.run { server async throws in
            let endless = "GET /" + String(repeating: "x", count: 100_000)
            #expect(try await server.answer(to: endless).status == 414)
        }
    }

    @Test func `a head is as large as its limit and no larger`() async throws {
        var limits = HTTPLimits()
        limits.headBytes = 1_000
        try await TestServer.run(limits: limits) { server async throws in
            func request(_ count: Int) -> String {
                let rest = "GET /echo HTTP/1.1\r\nHost: a\r\nX: \r\n\r\n".utf8.count
                return Self.get("/echo", "X: " + String(repeating: "x", count: count - rest))
            }
            #expect(try await server.answer(to: request(1_000)).status == 200)
            #expect(try await server.answer(to: request(1_001)).status == 431)
        }
    }

    @Test func `a head has as many fields as its limit and no more`() async throws {
        var limits = HTTPLimits()
        limits.headerFields = 3
        try await TestServer.run(limits: limits) { server async throws in
            #expect(try await server.answer(to: Self.get("/echo", "A: 1\r\nB: 2")).status == 200)
            #expect(try await server.answer(to: Self.get("/echo", "A: 1\r\nB: 2\r\nC: 3")).status == 431)
        }
    }

    @Test(arguments: [("/echo", 65_536), ("/small", 10), ("/large", 1 << 20)])
    func `a body is as large as its route allows and no larger`(_ path: String, _ limit: Int) async throws {
        try await TestServer.run { server async throws in
            let body = String(repeating: "x", count: limit)
            #expect(try await server.answer(to: Self.post(path, body)).status == 200)
            #expect(try await server.answer(to: Self.post(path, body + "x")).status == 413)
            #expect(try await server.answer(to: Self.chunked(path, body)).status == 200)
            #expect(try await server.answer(to: Self.chunked(path, body + "x")).status == 413)
        }
    }

    @Test func `chunks whose sizes add up to more than the limit are refused`() async throws {
        try await TestServer.run { server async throws in
            let chunks = String(repeating: "6\r\nxxxxxx\r\n", count: 2)
            let request = "POST /small HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n"
            #expect(try await server.answer(to: request).status == 413)
        }
    }

    @Test func `chunk extensions and trailers have a bound`() async throws {
        try await TestServer.run { server async throws in
            let extensions = String(repeating: "1;" + String(repeating: "e", count: 1_000) + "\r\nx\r\n", count: 5)
            let head = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            #expect(try await server.answer(to: "\(head)\(extensions)0\r\n\r\n").status == 400)
            let trailers = String(repeating: "A: " + String(repeating: "t", count: 1_000) + "\r\n", count: 5)
            #expect(try await server.answer(to: "\(head)0\r\n\(trailers)\r\n").status == 400)
        }
    }

    @Test func `a client that goes on sending too large a body can read why it is refused`() async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n")
            try await client.send([UInt8](repeating: 120, count: 3_000_000))
            let response = try await client.response()
            #expect(response.status == 413)
            #expect(response.body == "body_too_large POST /echo -")
        }
    }

    @Test func `a head that trickles in is 408 when its whole time is over`() async throws {
        var limits = HTTPLimits()
        limits.headTime = .milliseconds(150)
        try await TestServer.run(limits: limits) { server in
            let began = Instant.now
            let client = try server.connect()
            let text = try await client.trickle(Self.get("/echo", "X: " + String(repeating: "x", count: 1_000)))
            let took = Instant.now.since(began)
            #expect(text.hasPrefix("HTTP/1.1 408 "))
            #expect(text.contains("\r\n\r\ntoo_slow "))
            // libevent reads the kernel's coarse clock, which is a tick behind at most: 10 ms at 100 Hz.
            #expect(took >= .milliseconds(140) && took < .seconds(2))
        }
    }

    @Test func `a body that trickles in is 408 when its whole time is over`() async throws {
        var limits = HTTPLimits()
        limits.bodyTime = .milliseconds(150)
        try await TestServer.run(limits: limits) { server in
            let client = try server.connect()
            try await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
            let began = Instant.now
            let text = try await client.trickle(String(repeating: "x", count: 1_000))
            let took = Instant.now.since(began)
            #expect(text.hasPrefix("HTTP/1.1 408 "))
            #expect(took < .seconds(2))
        }
    }

    @Test(arguments: ["", get("/echo")])
    func `a connection without a request is closed when it has been idle too long`(_ before: String) async throws {
        var limits = HTTPLimits()
        limits.idleTime = .milliseconds(100)
        try await TestServer.run(limits: limits) { server in
            let client = try server.connect()
            if !before.isEmpty {
                try await client.send(before)
                _ = try await client.response()
            }
            #expect(try await client.isClosedByPeer())
        }
    }

    @Test func `one connection too many is told so and closed, until another has gone`() async throws {
        var limits = HTTPLimits()
        limits.connections = 2
        try await TestServer.run(limits: limits) { server in
            let first = try server.connect()
            try await first.send(Self.get("/echo"))
            #expect(try await first.response().status == 200)
            let second = try server.connect()
            try await second.send(Self.get("/echo"))
            #expect(try await second.response().status == 200)
            let third = try server.connect()
            let refusal = try await third.response()
            #expect(refusal.status == 503)
            #expect(refusal["retry-after"] == "1")
            #expect(try await third.isClosedByPeer())
            third.hangUp()
            first.hangUp()
            try await server.waitForMetric("hearth_http_connections 1.0")
            #expect(try await server.isAlive())
        }
    }

    @Test func `one request too many is refused at once and the connection goes on`() async throws {
        var limits = HTTPLimits()
        limits.requestsInFlight = 1
        let held = HeldHandler()
        try await TestServer.run(limits: limits, routes: { $0.add(.get, "/held", held.answer) }) { server in
            let first = try server.connect()
            try await first.send(Self.get("/held"))
            await held.hasStarted()
            let second = try server.connect()
            let began = Instant.now
            try await second.send(Self.get("/echo", "X-Request-Id: 9"))
            let refusal = try await second.response()
            #expect(Instant.now.since(began) < .milliseconds(500))
            #expect(refusal.status == 503)
            #expect(refusal["retry-after"] == "1")
            #expect(refusal.body == "too_many_requests GET /echo 9")
            held.release()
            #expect(try await first.response().status == 200)
            try await server.waitForMetric("hearth_http_requests_in_flight 0.0")
            try await second.send(Self.get("/echo"))
            #expect(try await second.response().status == 200)
        }
    }

    @Test func `a client that does not read its answer is cut off`() async throws {
        var limits = HTTPLimits()
        limits.writeTime = .milliseconds(150)
        let large: Router.Handler = { _ in
            HTTPResponse(status: 200, body: .bytes([UInt8](repeating: 120, count: 8 << 20)))
        }
        try await TestServer.run(limits: limits, routes: { $0.add(.get, "/8m", large) }) { server in
            let client = try server.connect(receiveBuffer: 4_096)
            try await client.send(Self.get("/8m"))
            try await server.waitForMetric("hearth_http_abandoned_total 1")
            try await server.waitForMetric("hearth_http_connections 0.0")
            #expect(try await server.isAlive())
        }
    }

    private static func get(_ target: String, _ fields: String = "X: y") -> String {
        "GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n"
    }

    private static func post(_ path: String, _ body: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func chunked(_ path: String, _ body: String) -> String {
        let size = String(body.utf8.count, radix: 16)
        return "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n\(body)\r\n0\r\n\r\n"
    }
}

extension RawConnection {
    /// Sends a byte every few milliseconds until the peer has had enough, and returns what it said.
    fileprivate func trickle(_ text: String) async throws -> String {
        for byte in [UInt8](text.utf8) {
            do {
                try await send([byte])
                if try await hasReceived(within: .milliseconds(10)) { break }
            } catch RawConnectionError.broken {
                break
            }
        }
        return try await receiveToEnd()
    }
}
