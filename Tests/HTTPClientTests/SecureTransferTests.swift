import HTTPClient
import Runtime
import TestSupport
import Testing

/// TLS: who is trusted, and that all else works inside it.
@Suite(.timeLimit(.minutes(2)))
struct SecureTransferTests {
    @Test(arguments: ["localhost", "127.0.0.1"])
    func `a peer with a certificate of a trusted authority is answered`(host: String) async throws {
        try await withFront { client, front, server async throws in
            for _ in 0..<3 { #expect(try await client.text("https://\(host):\(front.port)/") == "secret") }
            let response = try await client.send(OutgoingRequest(.get, front.url), by: soon())
            #expect(response.head.version == "1.1")
        }
    }

    @Test func `a peer whose authority is unknown is not trusted and gets no request`() async throws {
        try await withFront(trusting: false) { client, front, server async throws in
            let failure = await client.failure(OutgoingRequest(.post, front.url, body: [1]))
            guard case .untrusted = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(failure?.mayHaveArrived == false)
            #expect(server.accepted == 0)
        }
    }

    @Test func `a certificate of another host is not trusted`() async throws {
        let elsewhere = try RawServerCertificates(for: "DNS:elsewhere.example,IP:127.0.0.2")
        try await withFront(elsewhere) { client, front, server async throws in
            let failure = await client.failure(OutgoingRequest(.get, front.url))
            guard case .untrusted = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
        }
    }

    @Test func `a peer that does not speak TLS is insecure`() async throws {
        let server = RawServer { connection in
            connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
            _ = connection.waitForClientToLeave()
        }
        defer { server.stop() }
        let failure = try await withClient {
            await $0.failure(OutgoingRequest(.get, "https://127.0.0.1:\(server.port)/"))
        }
        guard case .insecure = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `a handshake that never ends runs into the deadline`() async throws {
        let server = RawServer { _ = $0.waitForClientToLeave() }
        defer { server.stop() }
        let request = OutgoingRequest(.get, "https://127.0.0.1:\(server.port)/")
        let failure = try await withClient { await $0.failure(request, by: Deadline(after: .milliseconds(100))) }
        guard case .timedOut(_, during: .securing) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `a connection cut inside TLS is lost`() async throws {
        let cut: @Sendable (RawServerConnection) -> Void = { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
        }
        try await withFront(script: cut) { client, front, server async throws in
            let failure = await client.failure(OutgoingRequest(.get, front.url))
            #expect(failure == .connectionLost(bytes: 4))
        }
    }

    @Test func `a missing file of certificates is a failure of TLS and not a lack of checking`() async throws {
        var settings = HTTPClientSettings()
        settings.extraCertificates = "/nowhere/at/all.pem"
        let server = RawServer { connection in
            while connection.readRequest() != nil { connection.answer("secret") }
        }
        defer { server.stop() }
        let front = try await RawServerFront.tls(to: server, RawServerCertificates.shared.get())
        defer { front.stop() }
        let failure = try await withClient(settings) { await $0.failure(OutgoingRequest(.get, front.url)) }
        switch failure {
        case .insecure, .untrusted: break
        default: Issue.record("\(String(describing: failure))")
        }
        #expect(server.accepted == 0)
    }

    private func withFront(
        _ certificates: RawServerCertificates? = nil,
        trusting: Bool = true,
        script: @escaping @Sendable (RawServerConnection) -> Void = { connection in
            while connection.readRequest() != nil { connection.answer("secret") }
        },
        _ body: (HTTPClient, RawServerFront, RawServer) async throws -> Void
    ) async throws {
        let server = RawServer(script)
        defer { server.stop() }
        let certificates = try certificates ?? RawServerCertificates.shared.get()
        let front = try await RawServerFront.tls(to: server, certificates)
        defer { front.stop() }
        var settings = HTTPClientSettings()
        if trusting { settings.extraCertificates = certificates.authority }
        try await withClient(settings) { try await body($0, front, server) }
    }
}
