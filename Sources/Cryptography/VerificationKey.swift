import CCrypto

/// A public key that verifies signatures of JSON Web Tokens: "RS256" or "ES256" (RFC 7518, sections 3.3 and 3.4).
///
/// A key has one algorithm, so that no token can choose another for it.
///
/// `@unchecked Sendable`: libcrypto counts references to a key with atomics and never changes a key after reading it.
/// Each check uses its own context.
package final class VerificationKey: @unchecked Sendable {
    /// The algorithm of a key.
    package enum Algorithm: String, Sendable, CaseIterable {
        /// RSASSA-PKCS1-v1_5 with SHA-256.
        case rs256 = "RS256"
        /// ECDSA on P-256 with SHA-256.
        case es256 = "ES256"
    }

    /// Sizes of RSA keys in bits; a longer one would make each check slow.
    private static let rsaBits: ClosedRange<Int32> = 2048...8192
    private static let coordinateBytes = 32

    /// The only algorithm of the key.
    package let algorithm: Algorithm
    private let key: OpaquePointer

    /// Makes an RSA key from its modulus and exponent; nil for a weak or an overlong one.
    package convenience init?(modulus: [UInt8], exponent: [UInt8]) {
        guard (256...1024).contains(modulus.count), (1...8).contains(exponent.count) else { return nil }
        let numbers = DER.sequence(DER.integer(modulus) + DER.integer(exponent))
        self.init(der: DER.sequence(DER.rsaIdentity + DER.bits(numbers)), .rs256)
    }

    /// Makes a key on P-256 from the coordinates of its point; nil for a point that is not on the curve.
    package convenience init?(x: [UInt8], y: [UInt8]) {
        guard x.count == Self.coordinateBytes, y.count == Self.coordinateBytes else { return nil }
        self.init(der: DER.sequence(DER.p256Identity + DER.bits([4] + x + y)), .es256)
    }

    private init?(der: [UInt8], _ algorithm: Algorithm) {
        let read = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var place = bytes.baseAddress
            return d2i_PUBKEY(nil, &place, bytes.count)
        }
        guard let read else { return nil }
        let bits = EVP_PKEY_get_bits(read)
        let kind = EVP_PKEY_get_base_id(read)
        let isFit =
            switch algorithm {
            case .rs256: kind == EVP_PKEY_RSA && Self.rsaBits.contains(bits)
            case .es256: kind == EVP_PKEY_EC && bits == 256
            }
        guard isFit else {
            EVP_PKEY_free(read)
            return nil
        }
        key = read
        self.algorithm = algorithm
    }

    deinit { EVP_PKEY_free(key) }

    /// Returns true when the key's owner signed the message; takes 20 to 60 µs.
    package func isSignature(_ signature: [UInt8], of message: some Collection<UInt8>) -> Bool {
        guard let signature = encoded(signature), let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        let message = Array(message)
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// The signature in the form of libcrypto: tokens carry the two numbers of ECDSA without their framing.
    private func encoded(_ signature: [UInt8]) -> [UInt8]? {
        guard algorithm == .es256 else { return signature }
        guard signature.count == 2 * Self.coordinateBytes else { return nil }
        let numbers = [signature.prefix(Self.coordinateBytes), signature.suffix(Self.coordinateBytes)]
        return DER.sequence(numbers.flatMap { DER.integer(Array($0)) })
    }
}

/// Writes the few values of ASN.1 that keys and signatures need (ITU-T X.690).
private enum DER {
    /// The identity of RSA: 1.2.840.113549.1.1.1 with null.
    static let rsaIdentity: [UInt8] = [
        0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]
    /// The identity of a key on P-256: 1.2.840.10045.2.1 with 1.2.840.10045.3.1.7.
    static let p256Identity: [UInt8] = [
        0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D,
        0x03, 0x01, 0x07,
    ]

    static func sequence(_ content: [UInt8]) -> [UInt8] { value(0x30, content) }

    static func bits(_ content: [UInt8]) -> [UInt8] { value(0x03, [0] + content) }

    /// A number that is not negative, from its bytes.
    static func integer(_ bytes: [UInt8]) -> [UInt8] {
        let number = Array(bytes.drop { $0 == 0 })
        return value(0x02, (number.first ?? 0x80) >= 0x80 ? [0] + number : number)
    }

    private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag] + length(content.count) + content }

    private static func length(_ count: Int) -> [UInt8] {
        switch count {
        case 0..<0x80: [UInt8(count)]
        case 0x80..<0x100: [0x81, UInt8(count)]
        default: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        }
    }
}
