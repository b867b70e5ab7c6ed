import HTTPClient
import Runtime
import Synchronization
import TestSupport
import Testing

/// Reuse of connections, and repeats of requests.
@Suite(.timeLimit(.minutes(2)))
struct ConnectionReuseTests {
    @Test func `requests one after another use one connection`() async throws {
        let server = RawServer { connection in
            while connection.readRequest() != nil { connection.answer("x") }
        }
        defer { server.stop() }
        try await withClient { client async throws in
            for _ in 0..<20 { #expect(try await client.text(server.url) == "x") }
        }
        #expect(server.accepted == 1)
    }

    @Test func `requests at the same time have a connection each and keep them`() async throws {
        let gate = RawServerGate()
        let server = RawServer { connection in
            while connection.readRequest() != nil {
                gate.wait()
                connection.answer("x")
            }
        }
        defer { server.stop() }
        try await withClient { client async throws in
            for _ in 0..<2 {
                await withTaskGroup(of: String?.self) { group in
                    for _ in 0..<8 { group.addTask { try? await client.text(server.url) } }
                    #expect(await eventually { server.accepted == 8 && client.transfers == 8 })
                    for _ in 0..<8 { gate.open() }
                    for await text in group { #expect(text == "x") }
                }
            }
        }
        #expect(server.accepted == 8)
    }

    @Test func `a body whose rest is dropped leaves its connection for the next request`() async throws {
        let gate = RawServerGate()
        let server = RawServer { connection in
            while connection.readRequest() != nil {
                connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                connection.sendChunk("all there is to say")
                gate.wait()
                connection.sendChunk("")
            }
        }
        defer { server.stop() }
        try await withClient { client async throws in
            for _ in 0..<3 {
                let response = try await client.send(OutgoingRequest(.get, server.url), by: soon())
                _ = try await response.body.next()
                response.body.dropRest()
                gate.open()
                #expect(await eventually { client.transfers == 0 })
            }
        }
        #expect(server.accepted == 1)
    }

    @Test(arguments: [false, true])
    func `a rest that is long or late is not waited for`(isLong: Bool) async throws {
        let left = OneShot<Bool>()
        let server = RawServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\nfirst")
            while isLong, connection.send(String(repeating: "x", count: 1000)) {}
            left.settle(isLong || connection.waitForClientToLeave())
        }
        defer { server.stop() }
        try await withClient { client async throws in
            let response = try await client.send(OutgoingRequest(.get, server.url), by: soon())
            _ = try await response.body.next()
            response.body.dropRest()
            #expect(await left.value(ifCancelled: false))
            #expect(await eventually { client.transfers == 0 })
        }
    }

    @Test func `a connection that the peer closed while it was idle is not used for anything`() async throws {
        let closed = Atomic(0)
        let server = RawServer { connection in
            _ = connection.readRequest()
            connection.answer("x")
            connection.close()
            closed.add(1, ordering: .releasing)
        }
        defer { server.stop() }
        try await withClient { client async throws in
            for count in 1...3 {
                let request = OutgoingRequest(.post, server.url, body: [1])
                #expect(try await client.send(request, by: soon()).collect(upTo: 9) == Array("x".utf8))
                #expect(await eventually { closed.load(ordering: .acquiring) == count })
            }
        }
        #expect(server.accepted == 3)
    }

    @Test(arguments: [OutgoingRequest.Method.get, .put, .delete])
    func `a request that may be repeated is, when a reused connection dies unanswered`(
        method: OutgoingRequest.Method
    ) async throws {
        let server = dyingServer()
        defer { server.stop() }
        try await withClient { client async throws in
            let request = OutgoingRequest(method, server.url, body: method == .put ? [1, 2] : [])
            for _ in 0..<2 { #expect(try await client.send(request, by: soon()).status == 200) }
        }
        #expect(server.accepted == 2)
    }

    @Test(arguments: [0, 1, 300_000])
    func `a request that may not be repeated is sent once, when a reused connection dies unanswered`(
        bytes: Int
    ) async throws {
        let requests = Atomic(0)
        let server = RawServer { connection in
            while connection.readRequest() != nil {
                guard requests.add(1, ordering: .relaxed).newValue == 1 else { return }
                connection.answer("x")
            }
        }
        defer { server.stop() }
        try await withClient { client async throws in
            let request = OutgoingRequest(.post, server.url, body: [UInt8](repeating: 7, count: bytes))
            #expect(try await client.send(request, by: soon()).status == 200)
            let failure = await client.failure(request)
            #expect(failure == .connectionLost(bytes: 0))
            #expect(failure?.mayHaveArrived == true)
        }
        #expect(requests.load(ordering: .relaxed) == 2)
    }

    @Test func `a request that may have arrived is not called unsent when the next connection is refused`() async throws
    {
        let (stop, stopped) = (OneShot<Bool>(), RawServerGate())
        let server = RawServer { connection in
            _ = connection.readRequest()
            connection.answer("x")
            _ = connection.readRequest()
            stop.settle(true)
            stopped.wait()
        }
        try await withClient { client async throws in
            let request = OutgoingRequest(.get, server.url)
            #expect(try await client.send(request, by: soon()).status == 200)
            async let failure = client.failure(request)
            _ = await stop.value(ifCancelled: false)
            server.stopListening()
            stopped.open()
            #expect(await failure == .connectionLost(bytes: 0))
        }
    }

    @Test func `a post that its caller calls repeatable is repeated`() async throws {
        let server = dyingServer()
        defer { server.stop() }
        try await withClient { client async throws in
            let request = OutgoingRequest(.post, server.url, body: [1], isRepeatable: true)
            for _ in 0..<2 { #expect(try await client.send(request, by: soon()).status == 200) }
        }
        #expect(server.accepted == 2)
    }

    /// The first connection dies when it has read its second request; later ones live.
    private func dyingServer() -> RawServer {
        RawServer { connection in
            _ = connection.readRequest()
            connection.answer("x")
            while connection.readRequest() != nil, connection.number > 1 { connection.answer("x") }
        }
    }
}
