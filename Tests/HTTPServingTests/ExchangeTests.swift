import HTTPServing
import Runtime
import TestSupport
import Testing

/// Responses to well-formed requests, over real sockets.
@Suite(.timeLimit(.minutes(1)))
struct ExchangeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: String
        let body: String

        init(_ name: String, _ bytes: String, _ body: String) {
            self.name = name
            self.bytes = bytes
            self.body = body
        }

        var testDescription: String { name }
    }

    static let wellFormed = [
        Case("a path", get("/echo/a"), "GET /echo/a [] "),
        Case("an escaped path", get("/echo/a%20b%C3%A9"), "GET /echo/a bé [] "),
        Case("a plus in a path", get("/echo/a+b"), "GET /echo/a+b [] "),
        Case("a query", get("/echo?a=1&b=2"), "GET /echo [a=1&b=2] "),
        Case("an escaped query", get("/echo?a%3D=b%26c+d"), "GET /echo [a==b&c d] "),
        Case("a query without values", get("/echo?a&b=&&=c"), "GET /echo [a=&b=&=c] "),
        Case("a query with a question mark", get("/echo?a=?"), "GET /echo [a=?] "),
        Case("an absolute target", get("http://a:80/echo?b=c"), "GET /echo [b=c] "),
        Case("an absolute target in capitals", get("HTTP://a/echo"), "GET /echo [] "),
        Case("an empty line at the front", "\r\n" + get("/echo"), "GET /echo [] "),
        Case("a body by length", post("Content-Length: 5", "hello"), "POST /echo [] hello"),
        Case("a body with leading zeros in its length", post("Content-Length: 005", "hello"), "POST /echo [] hello"),
        Case("a body of no bytes", post("Content-Length: 0", ""), "POST /echo [] "),
        Case("a POST without a length", post("X: y", ""), "POST /echo [] "),
        Case("blanks around a length", post("Content-Length: \t 5 \t", "hello"), "POST /echo [] hello"),
        Case("no blank before a length", post("Content-Length:5", "hello"), "POST /echo [] hello"),
        Case("a body in a chunk", chunked("5\r\nhello\r\n0\r\n\r\n"), "POST /echo [] hello"),
        Case("a body in chunks", chunked("3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n"), "POST /echo [] hello"),
        Case("a chunked body of no bytes", chunked("0\r\n\r\n"), "POST /echo [] "),
        Case(
            "chunk sizes in capitals and zeros",
            chunked("00A\r\n0123456789\r\n000\r\n\r\n"),
            "POST /echo [] 0123456789"
        ),
        Case("chunk extensions", chunked("5;a=b;c=\"d\"\r\nhello\r\n0;e\r\n\r\n"), "POST /echo [] hello"),
        Case("trailers", chunked("5\r\nhello\r\n0\r\nA: b\r\nC: d\r\n\r\n"), "POST /echo [] hello"),
        Case("a chunk that looks like a request", chunked("8\r\nGET / \r\n\r\n0\r\n\r\n"), "POST /echo [] GET / \r\n"),
        Case(
            "a coding in capitals behind a tab",
            post("TRANSFER-ENCODING:\tCHUNKED", "5\r\nhello\r\n0\r\n\r\n"),
            "POST /echo [] hello"
        ),
        Case("a length behind a tab", post("Content-Length:\t5", "hello"), "POST /echo [] hello"),
        Case(
            "a GET request with a body",
            "GET /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi",
            "GET /echo [] hi"
        ),
        Case("an empty host", "GET /echo HTTP/1.1\r\nHost:\r\n\r\n", "GET /echo [] "),
        Case("a host that is an IPv6 address", "GET /echo HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", "GET /echo [] "),
        Case("bytes beyond ASCII in a value", "GET /echo HTTP/1.1\r\nHost: a\r\nX: é\r\n\r\n", "GET /echo [] "),
        Case("an upgrade that is not taken", get("/echo", "Upgrade: h2c\r\nConnection: Upgrade"), "GET /echo [] "),
        Case(
            "an expectation with its body",
            post("Expect: 100-continue\r\nContent-Length: 2", "hi"),
            "POST /echo [] hi"
        ),
    ]

    @Test(arguments: wellFormed)
    func `a well-formed request is answered and the connection goes on`(_ request: Case) async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            for _ in 0..<2 {
                try await client.send(request.bytes)
                let response = try await client.response()
                #expect(response.status == 200)
                #expect(response.body == request.body)
            }
        }
    }

    @Test(arguments: wellFormed)
    func `it is answered as well when it arrives a byte at a time`(_ request: Case) async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            for byte in [UInt8](request.bytes.utf8) { try await client.send([byte]) }
            var response = try await client.response()
            if response.status == 100 { response = try await client.response() }
            #expect(response.body == request.body)
        }
    }

    @Test func `pipelined requests are answered in their order, however they are framed`() async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try await client.send(Self.wellFormed.map(\.bytes).joined())
            for request in Self.wellFormed {
                #expect(try await client.response().body == request.body)
            }
        }
    }

    @Test func `a slow answer holds back the answers behind it`() async throws {
        let held = HeldHandler()
        try await TestServer.run(routes: { $0.add(.get, "/held", held.answer) }) { server in
            let client = try server.connect()
            try await client.send(Self.get("/held") + Self.get("/echo/second") + Self.get("/echo/third"))
            await held.hasStarted()
            held.release()
            #expect(try await client.response().body == "held")
            #expect(try await client.response().body == "GET /echo/second [] ")
            #expect(try await client.response().body == "GET /echo/third [] ")
        }
    }

    @Test func `more pipelined bytes than are held at once are all answered`() async throws {
        var limits = HTTPLimits()
        limits.pipelinedBytes = 100
        try await TestServer.run(limits: limits) { server in
            let client = try server.connect()
            let requests = (0..<2_000).map { Self.get("/echo/\($0)") }
            async let sent: Void = client.send(requests.joined())
            try await sent
            for number in requests.indices {
                #expect(try await client.response().body == "GET /echo/\(number) [] ")
            }
        }
    }

    @Test(arguments: ["close", "Close", "keep-alive, close", "foo ,\tclose"])
    func `a client that asks for it gets its answer and the end of the connection`(_ option: String) async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try await client.send(Self.get("/echo", "Connection: \(option)"))
            let response = try await client.response()
            #expect(response.status == 200)
            #expect(response["connection"] == "close")
            #expect(try await client.isClosedByPeer())
        }
    }

    @Test(arguments: ["", "Connection: keep-alive\r\n"])
    func `an HTTP 1_0 request is answered in kind and the connection closed`(_ field: String) async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try await client.send("GET /echo HTTP/1.0\r\n\(field)\r\n")
            let text = try await client.receiveToEnd()
            #expect(text.hasPrefix("HTTP/1.0 200 OK\r\n"))
            #expect(text.contains("\r\nConnection: close\r\n"))
            #expect(!text.contains("keep-alive"))
            #expect(text.hasSuffix("\r\n\r\nGET /echo [] "))
            #expect(text.contains("\r\nDate: "))
        }
    }

    @Test func `a HEAD request gets the head of the GET answer and nothing after it`() async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try await client.send("HEAD /echo HTTP/1.1\r\nHost: a\r\n\r\n" + Self.get("/echo/next"))
            let response = try await client.response(toHead: true)
            #expect(response.status == 200)
            #expect(response["content-length"] == String("HEAD /echo [] ".utf8.count))
            #expect(try await client.response().body == "GET /echo/next [] ")
        }
    }

    @Test(arguments: [204, 304])
    func `a status without a body has neither body nor length`(_ status: Int) async throws {
        let handler: Router.Handler = { _ in HTTPResponse(status: status, body: .bytes([1, 2, 3])) }
        try await TestServer.run(routes: { $0.add(.get, "/none", handler) }) { server in
            let client = try server.connect()
            try await client.send(Self.get("/none") + Self.get("/echo"))
            let response = try await client.response()
            #expect(response.status == status)
            #expect(response["content-length"] == nil)
            #expect(response["transfer-encoding"] == nil)
            #expect(try await client.response().body == "GET /echo [] ")
        }
    }

    @Test func `what has no route is 404, and a method without one 405 with the others named`() async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try await client.send(Self.get("/nowhere", "X-Request-Id: 7"))
            let missing = try await client.response()
            #expect(missing.status == 404)
            #expect(missing.body == "not_found GET /nowhere 7")
            try await client.send("DELETE /only-get HTTP/1.1\r\nHost: a\r\n\r\n")
            let wrong = try await client.response()
            #expect(wrong.status == 405)
            #expect(wrong["allow"] == "GET, HEAD")
            try await client.send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.response().status == 404)
            try await client.send(Self.get("/echo"))
            #expect(try await client.response().status == 200)
        }
    }

    @Test func `a client that waits for it is told to send its body`() async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try await client.send(Self.post("Expect: 100-continue\r\nContent-Length: 5", ""))
            #expect(try await client.receive(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await client.send("hello")
            #expect(try await client.response().body == "POST /echo [] hello")
        }
    }

    @Test func `a client that waits to send too large a body is refused before it does`() async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try await client.send(Self.post("Expect: 100-continue\r\nContent-Length: 5000000", ""))
            #expect(try await client.response().status == 413)
            #expect(try await client.isClosedByPeer())
        }
    }

    @Test func `trailers do not become header fields`() async throws {
        try await TestServer.run { server in
            let body = "0\r\nAuthorization: Bearer x\r\n\r\n"
            let request = "GET /headers HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
            let response = try await server.answer(to: request)
            #expect(response.status == 200)
            #expect(!response.body.contains("Authorization"))
        }
    }

    @Test func `a handler cannot break out of its header fields or write the server's`() async throws {
        let fields = HeaderFields([
            "X-Echo": "a\r\nSet-Cookie: b\0c", "X Bad": "dropped", "Content-Length": "1", "Connection": "upgrade",
            "Transfer-Encoding": "gzip",
        ])
        let handler: Router.Handler = { _ in HTTPResponse(status: 200, headers: fields, body: .bytes([65, 66])) }
        try await TestServer.run(routes: { $0.add(.get, "/fields", handler) }) { server in
            let response = try await server.answer(to: Self.get("/fields"))
            #expect(response["x-echo"] == "a  Set-Cookie: b c")
            #expect(response.headers.map(\.name).sorted() == ["content-length", "date", "x-echo"])
            #expect(response.body == "AB")
        }
    }

    @Test func `each answer is told to the observer once, with its pattern and size`() async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try await client.send(Self.get("/echo/x") + Self.get("/no") + "nonsense\r\n\r\n")
            _ = try await client.receiveToEnd()
            let told = server.answered.all
            #expect(told.map(\.pattern) == ["/echo/{rest}", "", ""])
            #expect(told.map(\.status) == [200, 404, 400])
            #expect(told.map(\.method) == [.get, .get, nil])
            #expect(told.first?.bytes == "GET /echo/x [] ".utf8.count)
            #expect(told.allSatisfy { $0.duration > .zero && $0.duration < .seconds(5) })
            #expect(server.metrics.exposition.contains("hearth_http_failures_total{reason=\"bad_request_line\"} 1"))
        }
    }

    private static func get(_ target: String, _ fields: String = "X: y") -> String {
        "GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n"
    }

    private static func post(_ fields: String, _ body: String) -> String {
        "POST /echo HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)"
    }

    private static func chunked(_ body: String) -> String {
        post("Transfer-Encoding: chunked", body)
    }
}
