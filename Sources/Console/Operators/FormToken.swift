import Cryptography
import Runtime

/// Shows that a form was given out to the session that sends it: a code of the session's token, which no other site knows.
enum FormToken {
    /// The hidden field that carries it.
    static let field = "form_token"
    private static let purpose = Array("hearth console form".utf8)

    static func text(for cookie: SessionCookie) -> String {
        Hexadecimal.text(of: MessageAuthentication(key: Array(cookie.token.utf8)).code(for: purpose))
    }

    static func isRight(_ text: String, for cookie: SessionCookie) -> Bool {
        ConstantTime.areEqual(text.utf8, self.text(for: cookie).utf8)
    }
}
