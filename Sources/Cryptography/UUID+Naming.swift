package import Foundation

extension UUID {
    /// Derives a UUID of version 8 (RFC 9562) from a text, through its SHA-256 digest.
    package init(naming text: String) {
        var bytes = Array(Digest.sha256(text).bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
