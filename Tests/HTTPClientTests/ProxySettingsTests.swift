import HTTPClient
import Runtime
import TestSupport
import Testing

/// Requests that go through a proxy.
@Suite(.timeLimit(.minutes(2)))
struct ProxySettingsTests {
    @Test(arguments: [
        ([:], ProxySettings.none),
        (["http_proxy": "http://p:1"], ProxySettings(http: "http://p:1", https: nil, exceptions: [])),
        (["https_proxy": "http://p:1"], ProxySettings(http: nil, https: "http://p:1", exceptions: [])),
        (["HTTPS_PROXY": "http://p:1"], ProxySettings(http: nil, https: "http://p:1", exceptions: [])),
        (
            ["HTTPS_PROXY": "http://upper", "https_proxy": "http://lower"],
            ProxySettings(http: nil, https: "http://lower", exceptions: [])
        ),
        (["ALL_PROXY": "http://p:1"], ProxySettings(http: "http://p:1", https: "http://p:1", exceptions: [])),
        (
            ["all_proxy": "http://p:1", "no_proxy": "a.example, .b.example,10.0.0.0/8"],
            ProxySettings(
                http: "http://p:1",
                https: "http://p:1",
                exceptions: ["a.example", ".b.example", "10.0.0.0/8"]
            )
        ),
        (["HTTP_PROXY": "http://from-a-request"], ProxySettings.none),
        (["http_proxy": "", "HTTPS_PROXY": "", "NO_PROXY": ""], ProxySettings.none),
    ])
    func `the environment's variables mean what they mean elsewhere`(
        environment: [String: String],
        expected: ProxySettings
    ) {
        #expect(ProxySettings(environment: environment) == expected)
    }

    @Test func `a request for another host goes through the proxy`() async throws {
        let received = OneShot<RawServerRequest?>()
        let proxy = RawServer { connection in
            received.settle(connection.readRequest())
            connection.answer("from the proxy")
        }
        defer { proxy.stop() }
        var settings = HTTPClientSettings()
        settings.proxy = ProxySettings(http: proxy.url, https: nil, exceptions: [])
        let text = try await withClient(settings) { try await $0.text("http://service.example/path") }
        #expect(text == "from the proxy")
        #expect(await received.value(ifCancelled: nil)?.line == "GET http://service.example/path HTTP/1.1")
    }

    @Test(arguments: ["127.0.0.1", "localhost", "127.1.2.3"])
    func `loopback is reached directly whatever the proxy`(host: String) async throws {
        let proxy = RawServer { _ in }
        let server = RawServer { connection in
            _ = connection.readRequest()
            connection.answer("direct")
        }
        defer { proxy.stop() }
        defer { server.stop() }
        var settings = HTTPClientSettings()
        settings.proxy = ProxySettings(http: proxy.url, https: nil, exceptions: [])
        let failure = try await withClient(settings) {
            await $0.failure(OutgoingRequest(.get, "http://\(host):\(server.port)/"))
        }
        #expect(failure == nil || host == "127.1.2.3")
        #expect(proxy.accepted == 0)
    }

    @Test(arguments: [["service.invalid"], [".invalid"], ["*"]])
    func `an exception is reached directly`(exceptions: [String]) async throws {
        let proxy = RawServer { _ in }
        defer { proxy.stop() }
        var settings = HTTPClientSettings()
        settings.proxy = ProxySettings(http: proxy.url, https: nil, exceptions: exceptions)
        let failure = try await withClient(settings) {
            await $0.failure(OutgoingRequest(.get, "http://service.invalid/"))
        }
        #expect(failure == .unresolvedHost)
        #expect(proxy.accepted == 0)
    }

    @Test func `a proxy that has no address is told from a host that has none`() async throws {
        var settings = HTTPClientSettings()
        settings.proxy = ProxySettings(http: "http://no-such-proxy.invalid:3128", https: nil, exceptions: [])
        let failure = try await withClient(settings) {
            await $0.failure(OutgoingRequest(.get, "http://service.example/"))
        }
        #expect(failure == .unresolvedProxy)
    }

    @Test func `a secure request asks the proxy for a tunnel and a refusal of it is told`() async throws {
        let received = OneShot<RawServerRequest?>()
        let proxy = RawServer { connection in
            received.settle(connection.readRequest())
            connection.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        }
        defer { proxy.stop() }
        var settings = HTTPClientSettings()
        settings.proxy = ProxySettings(http: nil, https: proxy.url, exceptions: [])
        let failure = try await withClient(settings) {
            await $0.failure(OutgoingRequest(.post, "https://service.example/"))
        }
        #expect(await received.value(ifCancelled: nil)?.line == "CONNECT service.example:443 HTTP/1.1")
        #expect(failure == .refusedByProxy(status: 403))
        #expect(failure?.mayHaveArrived == false)
    }
}
