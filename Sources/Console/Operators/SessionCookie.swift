import Cryptography
import Runtime

/// The cookie that holds a session's token: no script reads it, no other site's request carries it, and only a secure
/// connection does.
///
/// Browsers take `localhost` and 127.0.0.1 for secure; anywhere else the console stands behind TLS.
struct SessionCookie: Sendable {
    static let name = "hearth_operator"
    private static let attributes = "; Path=/console; HttpOnly; Secure; SameSite=Strict"

    let token: String

    /// A cookie with a new token of 256 bits.
    init() {
        token = RandomToken.text()
    }

    /// The cookie of a request; nil when it has none that could be ours.
    init?(_ headers: HeaderFields) {
        guard let token = Cookies(headers)[Self.name], (20...100).contains(token.utf8.count) else { return nil }
        self.token = token
    }

    /// The digest under which the record knows the session.
    var digest: String { Digest.sha256(token).hex }

    /// The header field that sets it; ends with the browser's session.
    var setting: String { "\(Self.name)=\(token)\(Self.attributes)" }

    /// The header field that removes it.
    static let removal = "\(name)=; Max-Age=0\(attributes)"
}
