import Cryptography
import Runtime

/// Protects forms against cross-site requests: the token is a MAC of the session token, which no other site knows.
enum FormToken {
    /// Name of the hidden form field.
    static let field = "form_token"
    private static let purpose = Array("hearth console form".utf8)

    static func text(for cookie: SessionCookie) -> String {
        Hexadecimal.text(of: MessageAuthentication(key: Array(cookie.token.utf8)).code(for: purpose))
    }

    static func isRight(_ text: String, for cookie: SessionCookie) -> Bool {
        ConstantTime.areEqual(text.utf8, self.text(for: cookie).utf8)
    }
}
