import Foundation

/// The limits and options of an ``HTTPClient``.
package struct HTTPClientSettings: Sendable {
    /// The maximum number of transfers in flight; further requests are refused.
    package var transfers = 4096
    /// The number of idle connections that a shard keeps; each loop has `shardsPerLoop` shards.
    package var idleConnectionsPerShard = 64
    /// The number of multi handles on each loop.
    ///
    /// Curl's cost per multi handle grows with its connections, so several cost less.
    package var shardsPerLoop = 16
    /// The time limit for connecting, including the TLS handshake.
    package var connectTime: Duration = .seconds(3)
    /// The number of body bytes that may wait for the reader before the transfer pauses.
    package var bufferedBytes = 256 << 10
    /// The maximum size of a response head in bytes; curl limits one line to 100 KiB.
    package var headBytes = 64 << 10
    /// A PEM file of certificates that are trusted besides the system's.
    package var extraCertificates: String?
    /// The rules for using a proxy.
    package var proxy = ProxySettings()
    /// The addresses to which the client may connect.
    package var addresses = AddressPolicy.any
    /// The `User-Agent` of requests that set none.
    package var userAgent = "hearth"

    /// Makes the default settings, with the proxy from the environment.
    package init() {}
}

/// The rules for sending requests through a proxy.
///
/// The service reads the environment once, so that the settings can be shown; curl does not read it. Loopback addresses
/// never use a proxy.
package struct ProxySettings: Sendable, Equatable {
    /// No proxy for any request.
    package static let none = ProxySettings(http: nil, https: nil, exceptions: [])

    /// The proxy for `http` URLs.
    package let http: String?
    /// The proxy for `https` URLs.
    package let https: String?
    /// Hosts, domains and networks that use no proxy; `*` means all.
    package let exceptions: [String]

    package init(http: String?, https: String?, exceptions: [String]) {
        self.http = http
        self.https = https
        self.exceptions = exceptions
    }

    /// Reads `http_proxy`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` from the environment.
    ///
    /// A lower-case variable takes precedence. `HTTP_PROXY` is ignored, because a CGI server sets it from a request
    /// header.
    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        func value(_ name: String) -> String? {
            let found = environment[name] ?? environment[name.uppercased()]
            return found?.isEmpty == false ? found : nil
        }
        let fallback = value("all_proxy")
        let plain = environment["http_proxy"].flatMap { $0.isEmpty ? nil : $0 }
        let exceptions = value("no_proxy")?.split(separator: ",") ?? []
        self.init(
            http: plain ?? fallback,
            https: value("https_proxy") ?? fallback,
            exceptions: exceptions.map { $0.trimmingCharacters(in: .whitespaces) }
        )
    }

    /// The proxy for a request's URL scheme; nil for a direct connection.
    ///
    /// Curl applies the exceptions.
    func proxy(for request: OutgoingRequest) -> String? {
        guard !exceptions.contains("*") else { return nil }
        return request.isSecure ? https : http
    }

    /// The exceptions in curl's form, including the loopback addresses.
    var noProxy: String {
        (exceptions + ["localhost", "127.0.0.0/8", "::1"]).joined(separator: ",")
    }
}
