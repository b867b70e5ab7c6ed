import Cryptography
import Runtime

/// The cookie that holds a session token.
///
/// It is `HttpOnly`, `SameSite=Strict` and `Secure`.
///
/// Browsers treat `localhost` and 127.0.0.1 as secure; any other host needs TLS in front of the console.
struct SessionCookie: Sendable {
    static let name = "hearth_operator"
    private static let attributes = "; Path=/console; HttpOnly; Secure; SameSite=Strict"

    let token: String

    /// Generates a new token of 256 bits.
    init() {
        token = RandomToken.text()
    }

    /// Reads the cookie of a request; nil if there is no valid one.
    init?(_ headers: HeaderFields) {
        guard let token = Cookies(headers)[Self.name], (20...100).contains(token.utf8.count) else { return nil }
        self.token = token
    }

    /// Digest of the token, which identifies the session in the database.
    var digest: String { Digest.sha256(token).hex }

    /// Value of `Set-Cookie` that sets it until the browser is closed.
    var setting: String { "\(Self.name)=\(token)\(Self.attributes)" }

    /// Value of `Set-Cookie` that removes it.
    static let removal = "\(name)=; Max-Age=0\(attributes)"
}
