import Foundation

/// Encodes bytes as text that needs no escaping in a URL: base64url without padding (RFC 4648, section 5).
package enum Base64URL {
    /// Encodes each three bytes as four characters.
    package static func text(of bytes: some Collection<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Decodes a text; returns nil unless it is exactly what ``text(of:)`` writes.
    package static func bytes(of text: String) -> [UInt8]? {
        guard !text.contains("+"), !text.contains("/"), !text.contains("=") else { return nil }
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: standard + padding) else { return nil }
        let bytes = [UInt8](data)
        return self.text(of: bytes) == text ? bytes : nil
    }
}
