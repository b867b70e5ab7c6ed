import HTTPClient
import Runtime
import TestSupport
import Testing

/// HTTP/2 over TLS, agreed on by ALPN; needs `nghttpx` from Debian's `nghttp2-proxy`.
@Suite(.timeLimit(.minutes(2)), .enabled(if: RawServerFront.speaksHTTP2))
struct HTTP2Tests {
    @Test func `many transfers at once share one connection`() async throws {
        let gate = RawServerGate()
        let script: @Sendable (RawServerConnection) -> Void = { connection in
            while let request = connection.readRequest() {
                gate.wait()
                connection.answer(String(decoding: request.body, as: UTF8.self))
            }
        }
        try await withFront(script) { client, front async throws in
            try await withThrowingTaskGroup(of: (Int, String, String).self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let request = OutgoingRequest(.post, front.url, body: Array("\(number)".utf8))
                        let response = try await client.send(request, by: soon())
                        let text = String(decoding: try await response.collect(upTo: 100), as: UTF8.self)
                        return (number, text, response.head.version)
                    }
                }
                #expect(await eventually { client.transfers == 20 })
                for _ in 0..<20 { gate.open() }
                for try await (number, text, version) in group {
                    #expect(text == "\(number)")
                    #expect(version == "2")
                }
            }
            #expect(Loopback.sockets(atPort: front.port) == 1)
        }
    }

    @Test func `stopping one stream ends it at its origin and leaves the others`() async throws {
        let (left, gate) = (OneShot<Bool>(), RawServerGate())
        let script: @Sendable (RawServerConnection) -> Void = { connection in
            guard let request = connection.readRequest() else { return }
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.sendChunk("first")
            if request.line.contains("stopped") {
                left.settle(connection.waitForClientToLeave())
            } else {
                gate.wait()
                connection.sendChunk(" second")
                connection.sendChunk("")
            }
        }
        try await withFront(script) { client, front async throws in
            let stays = try await client.send(OutgoingRequest(.get, front.url + "/stays"), by: soon())
            let stopped = try await client.send(OutgoingRequest(.get, front.url + "/stopped"), by: soon())
            #expect(try await stopped.body.next() == Array("first".utf8))
            stopped.body.stop()
            #expect(await left.value(ifCancelled: false))
            gate.open()
            #expect(try await stays.collect(upTo: 100) == Array("first second".utf8))
            #expect(Loopback.sockets(atPort: front.port) == 1)
        }
    }

    @Test func `stopping the only stream of a connection ends it at its origin at once`() async throws {
        let left = OneShot<Bool>()
        let script: @Sendable (RawServerConnection) -> Void = { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.sendChunk("first")
            left.settle(connection.waitForClientToLeave())
        }
        try await withFront(script) { client, front async throws in
            let response = try await client.send(OutgoingRequest(.get, front.url), by: soon())
            #expect(try await response.body.next() == Array("first".utf8))
            response.body.stop()
            #expect(await left.value(ifCancelled: false))
            #expect(await eventually { client.transfers == 0 })
        }
    }

    @Test func `a stream ends at its deadline`() async throws {
        let left = OneShot<Bool>()
        let script: @Sendable (RawServerConnection) -> Void = { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfirst")
            left.settle(connection.waitForClientToLeave())
        }
        try await withFront(script) { client, front async throws in
            let deadline = Deadline(after: .seconds(2))
            let response = try await client.send(OutgoingRequest(.get, front.url), by: deadline)
            await #expect { while try await response.body.next() != nil {} } throws: { error in
                guard case .timedOut(_, during: .reading)? = error as? TransferError else { return false }
                return true
            }
            #expect(await left.value(ifCancelled: false))
        }
    }

    @Test func `a stream that is read slowly arrives whole`() async throws {
        let body = String(repeating: "0123456789", count: 400_000)
        try await withFront({ connection in
            _ = connection.readRequest()
            connection.answer(body)
        }) { client, front async throws in
            var settled = 0
            let response = try await client.send(OutgoingRequest(.get, front.url), by: soon())
            while let bytes = try await response.body.next() {
                settled += bytes.count
                await Task.yield()
            }
            #expect(settled == body.utf8.count)
        }
    }

    private func withFront(
        _ script: @escaping @Sendable (RawServerConnection) -> Void,
        _ body: (HTTPClient, RawServerFront) async throws -> Void
    ) async throws {
        let certificates = try RawServerCertificates.shared.get()
        let server = RawServer(script)
        defer { server.stop() }
        let front = try await RawServerFront.http2(to: server, certificates)
        defer { front.stop() }
        var settings = HTTPClientSettings()
        settings.extraCertificates = certificates.authority
        try await withClient(settings) { try await body($0, front) }
    }
}
