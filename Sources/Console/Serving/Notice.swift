import Cryptography
import Foundation
import Runtime

/// A sentence that is shown once, on the page after a change.
///
/// It is carried in an `HttpOnly` cookie.
struct Notice: Sendable, Equatable {
    private static let name = "hearth_notice"
    private static let attributes = "; Path=/console; HttpOnly; Secure; SameSite=Strict"
    private static let mostBytes = 600

    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// Reads the notice of a request; nil if there is none.
    init?(_ headers: HeaderFields) {
        guard let value = Cookies(headers)[Self.name], value.utf8.count <= 2 * Self.mostBytes,
            let bytes = Hexadecimal.bytes(of: value), let text = String(validating: bytes, as: UTF8.self), !text.isEmpty
        else { return nil }
        self.text = text
    }

    /// Value of `Set-Cookie` that sets it; it expires after a minute.
    var setting: String {
        let bytes = Array(text.utf8.prefix(Self.mostBytes))
        let whole = Array(String(decoding: bytes, as: UTF8.self).utf8)
        return "\(Self.name)=\(Hexadecimal.text(of: whole)); Max-Age=60\(Self.attributes)"
    }

    /// Value of `Set-Cookie` that removes it.
    static let removal = "\(name)=; Max-Age=0\(attributes)"
}
