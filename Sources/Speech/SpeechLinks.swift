import Cryptography
package import Domain
package import Foundation

/// Makes and opens signed links to sound, each for one clip of one tenant until it expires.
///
/// A token is the tenant, the digest, the expiry and their HMAC-SHA-256 in base64url. Its expiry falls on a whole hour,
/// so that one clip keeps one address for an hour and can be cached under it.
package struct SpeechLinks: Sendable {
    /// The shortest validity of a link in seconds.
    package static let lifetime: TimeInterval = 24 * 3600
    private static let hour: TimeInterval = 3600
    private static let suffix = ".mp3"
    private static let contentBytes = 16 + Digest.byteCount + 8

    private let authentication: MessageAuthentication
    private let base: String

    /// Makes links under a secret that is used for other links as well.
    ///
    /// - Parameter base: Public address of the service without a trailing slash.
    package init(secret: [UInt8], base: String) {
        let key = MessageAuthentication(key: secret).code(for: Array("links to speech".utf8))
        authentication = MessageAuthentication(key: key)
        self.base = base
    }

    /// Returns the address of a clip's sound, valid for a day at least.
    package func address(of clip: SpeechAddress, at date: Date) -> String {
        let until = date.addingTimeInterval(Self.lifetime).timeIntervalSince1970
        let seconds = UInt64(max(0, (until / Self.hour).rounded(.up) * Self.hour))
        var bytes = withUnsafeBytes(of: clip.tenant.uuid.uuid) { Array($0) } + clip.digest
        withUnsafeBytes(of: seconds.bigEndian) { bytes.append(contentsOf: $0) }
        return "\(base)/v1/audio/\(Base64URL.text(of: bytes + authentication.code(for: bytes)))\(Self.suffix)"
    }

    /// Returns the clip of a token; nil when it was not made here, was changed, or has expired.
    package func clip(of token: String, at date: Date) -> SpeechAddress? {
        let text = token.hasSuffix(Self.suffix) ? token.dropLast(Self.suffix.count) : token[...]
        guard let bytes = Base64URL.bytes(of: text), bytes.count == Self.contentBytes + Digest.byteCount else {
            return nil
        }
        let (content, code) = (Array(bytes.prefix(Self.contentBytes)), bytes.suffix(Digest.byteCount))
        guard authentication.isCode(code, for: content) else { return nil }
        return content.withUnsafeBytes { raw in
            let seconds = UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 16 + Digest.byteCount, as: UInt64.self))
            guard date.timeIntervalSince1970 < Double(seconds) else { return nil }
            let tenant = TenantID(UUID(uuid: raw.loadUnaligned(as: uuid_t.self)))
            return SpeechAddress(tenant: tenant, digest: Array(content[16..<16 + Digest.byteCount]))
        }
    }
}
