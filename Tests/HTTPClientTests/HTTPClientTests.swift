import HTTPClient
import Runtime
import Synchronization
import TestSupport
import Testing

/// Sending of requests, and reading of responses.
@Suite(.timeLimit(.minutes(2)))
struct HTTPClientTests {
    @Test(arguments: [
        (OutgoingRequest.Method.get, "", "GET /path?q=1 HTTP/1.1", nil as String?),
        (.head, "", "HEAD /path?q=1 HTTP/1.1", nil),
        (.post, "body", "POST /path?q=1 HTTP/1.1", "4"),
        (.post, "", "POST /path?q=1 HTTP/1.1", "0"),
        (.put, "body", "PUT /path?q=1 HTTP/1.1", "4"),
        (.patch, "body", "PATCH /path?q=1 HTTP/1.1", "4"),
        (.delete, "", "DELETE /path?q=1 HTTP/1.1", "0"),
    ])
    func `a request arrives as it was made`(
        method: OutgoingRequest.Method,
        body: String,
        line: String,
        length: String?
    ) async throws {
        let received = OneShot<RawServerRequest?>()
        let server = RawServer { connection in
            received.settle(connection.readRequest())
            connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
        defer { server.stop() }
        let request = OutgoingRequest(method, server.url + "/path?q=1", body: Array(body.utf8))
        let status = try await withClient { try await $0.send(request, by: soon()).status }
        let arrived = await received.value(ifCancelled: nil)
        #expect(status == 204)
        #expect(arrived?.line == line)
        #expect(arrived?.body == Array(body.utf8))
        #expect(arrived?.values("content-length").first == length)
        #expect(arrived?.values("content-type") == [])
        #expect(arrived?.values("expect") == [])
        #expect(arrived?.values("accept-encoding") == [])
        #expect(arrived?.values("user-agent") == ["hearth"])
    }

    @Test func `header fields are sent as given, empty ones and repeated ones too`() async throws {
        let received = OneShot<RawServerRequest?>()
        let server = RawServer { connection in
            received.settle(connection.readRequest())
            connection.answer("")
        }
        defer { server.stop() }
        var headers = HeaderFields(["X-Empty": "", "X-Twice": "a", "Content-Type": "application/json"])
        headers.add("X-Twice", "b: ü")
        let request = OutgoingRequest(.post, server.url, headers: headers, body: [1])
        _ = try await withClient { try await $0.send(request, by: soon()).status }
        let arrived = await received.value(ifCancelled: nil)
        #expect(arrived?.values("x-empty") == [""])
        #expect(arrived?.values("x-twice") == ["a", "b: ü"])
        #expect(arrived?.values("content-type") == ["application/json"])
    }

    @Test func `a large body is sent whole and without asking first`() async throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let received = OneShot<RawServerRequest?>()
        let server = RawServer { connection in
            received.settle(connection.readRequest())
            connection.answer("ok")
        }
        defer { server.stop() }
        let request = OutgoingRequest(.post, server.url, body: body)
        _ = try await withClient { try await $0.send(request, by: soon()).collect(upTo: 10) }
        let arrived = await received.value(ifCancelled: nil)
        #expect(arrived?.body == body)
        #expect(arrived?.values("expect") == [])
    }

    @Test func `the head says status, fields in order and version`() async throws {
        let server = RawServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 418 I'm a teapot\r\nA: 1\r\nB:\t two words \r\na:3\r\nEmpty:\r\n")
            connection.send("Content-Length: 2\r\n\r\nhi")
        }
        defer { server.stop() }
        try await withClient { client async throws in
            let response = try await client.send(OutgoingRequest(.get, server.url), by: soon())
            #expect(response.status == 418)
            #expect(response.head.version == "1.1")
            #expect(response.headers.values("a") == ["1", "3"])
            #expect(response.headers["b"] == "two words")
            #expect(response.headers["empty"] == "")
            #expect(response.head.contentLength == 2)
            #expect(try await response.collect(upTo: 2) == Array("hi".utf8))
        }
    }

    @Test func `interim answers are passed over`() async throws {
        let server = RawServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")
            connection.answer("done")
        }
        defer { server.stop() }
        try await withClient { client async throws in
            let response = try await client.send(OutgoingRequest(.get, server.url), by: soon())
            #expect(response.status == 200)
            #expect(response.headers["link"] == nil)
            #expect(try await response.collect(upTo: 100) == Array("done".utf8))
        }
    }

    @Test func `a redirect is an answer like any other`() async throws {
        let server = RawServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
            #expect(connection.readRequest() == nil)
        }
        defer { server.stop() }
        let status = try await withClient { try await $0.send(OutgoingRequest(.get, server.url), by: soon()).status }
        #expect(status == 302)
    }

    @Test func `trailers end a chunked body without becoming a part of it`() async throws {
        let server = RawServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n")
            connection.send("2\r\nab\r\n1\r\nc\r\n0\r\nX: 1\r\n\r\n")
        }
        defer { server.stop() }
        #expect(try await withClient { try await $0.text(server.url) } == "abc")
    }

    @Test func `a body without a length ends with the connection`() async throws {
        let server = RawServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.0 200 OK\r\n\r\nold ways")
        }
        defer { server.stop() }
        #expect(try await withClient { try await $0.text(server.url) } == "old ways")
    }

    @Test func `an answer is decoded only when the request said it may be compressed`() async throws {
        let compressed: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0, 0, 0,
        ]
        let server = RawServer { connection in
            while let request = connection.readRequest() {
                let encodings = request.values("accept-encoding").joined()
                #expect(encodings.contains("gzip") == request.line.contains("compressed"))
                connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n")
                connection.send("Content-Length: \(compressed.count)\r\n\r\n")
                connection.send(compressed)
            }
        }
        defer { server.stop() }
        try await withClient { client async throws in
            var request = OutgoingRequest(.get, server.url + "/compressed")
            request.acceptsCompression = true
            #expect(try await client.send(request, by: soon()).collect(upTo: 100) == Array("hello".utf8))
            let plain = OutgoingRequest(.get, server.url)
            #expect(try await client.send(plain, by: soon()).collect(upTo: 100) == compressed)
        }
    }

    @Test func `timings say when each step was reached and whether the connection was new`() async throws {
        let gate = RawServerGate()
        let held = Mutex(Duration.zero)
        let server = RawServer { connection in
            while connection.readRequest() != nil {
                let read = Instant.now
                gate.wait()
                held.withLock { $0 = Instant.now.since(read) }
                connection.answer("x")
            }
        }
        defer { server.stop() }
        let other = RawServer { connection in
            while connection.readRequest() != nil { connection.answer("y") }
        }
        defer { other.stop() }
        try await withClient { client async throws in
            async let answer = client.send(OutgoingRequest(.get, server.url), by: soon())
            for _ in 0..<3 { #expect(try await client.text(other.url) == "y") }
            gate.open()
            let first = try await answer
            #expect(!first.head.timings.reusedConnection)
            #expect(first.head.timings.connect > .zero)
            #expect(first.head.timings.connect < first.head.timings.firstByte)
            let least = held.withLock { $0 }
            #expect(least > .zero && first.head.timings.firstByte >= least)
            _ = try await first.collect(upTo: 10)
            gate.open()
            let second = try await client.send(OutgoingRequest(.get, server.url), by: soon())
            #expect(second.head.timings.reusedConnection)
        }
    }

    @Test(arguments: [
        ("X-Bad", "a\r\nInjected: yes"), ("X-Bad", "a\nb"), ("X-Bad", "a\0b"), ("X Bad", "a"), ("X:Bad", "a"),
        ("", "a"),
        ("X\r\nInjected", "a"),
    ])
    func `a header field that would break the head is refused before anything is sent`(
        name: String,
        value: String
    ) async throws {
        let server = RawServer { _ in }
        defer { server.stop() }
        let request = OutgoingRequest(.get, server.url, headers: HeaderFields([name: value]))
        let failure = try await withClient { await $0.failure(request) }
        #expect(failure == .invalidRequest(reason: "header field \(name.debugDescription)"))
        #expect(server.accepted == 0)
    }

    @Test(arguments: [
        ("", "URL"), ("http://", "URL"), ("http://a b/", "URL"), ("http://127.0.0.1:99999/", "URL"),
        ("file:///etc/passwd", "scheme"), ("ftp://127.0.0.1/x", "scheme"), ("gopher://127.0.0.1/x", "scheme"),
    ])
    func `a URL that is not one of the web's is refused`(url: String, reason: String) async throws {
        let failure = try await withClient { await $0.failure(OutgoingRequest(.get, url)) }
        #expect(failure == .invalidRequest(reason: reason))
    }
}
