import Foundation

/// Which requests go through a proxy.
///
/// Read once, by us, so that what applies can be shown; curl's own look at the environment is switched off. Loopback
/// addresses are never sent through a proxy.
package struct ProxySettings: Sendable, Equatable {
    /// No proxy at all.
    package static let none = ProxySettings(http: nil, https: nil, exceptions: [])

    /// The proxy of `http` URLs.
    package let http: String?
    /// The proxy of `https` URLs.
    package let https: String?
    /// Hosts, domains and networks that are reached directly; `*` means every one.
    package let exceptions: [String]

    /// Makes settings from their parts.
    package init(http: String?, https: String?, exceptions: [String]) {
        self.http = http
        self.https = https
        self.exceptions = exceptions
    }

    /// What the environment asks for: `http_proxy`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`.
    ///
    /// All but the first are read in lower case as well, which wins. `HTTP_PROXY` is ignored, because a CGI server
    /// makes that variable from a request's header.
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

    /// The proxy of a request by its URL's scheme, or nil when it is reached directly; exceptions are for curl to apply.
    func proxy(for request: OutgoingRequest) -> String? {
        guard !exceptions.contains("*") else { return nil }
        return request.isSecure ? https : http
    }

    /// The exceptions as curl takes them, with the loopback addresses added.
    var noProxy: String {
        (exceptions + ["localhost", "127.0.0.0/8", "::1"]).joined(separator: ",")
    }
}
