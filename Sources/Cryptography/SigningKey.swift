import CCrypto

/// A private key that signs JSON Web Tokens: "RS256" or "ES256" (RFC 7518, sections 3.3 and 3.4).
///
/// `@unchecked Sendable`: libcrypto counts references to a key with atomics and never changes a key after reading it.
/// Each signature uses its own context.
package final class SigningKey: @unchecked Sendable {
    private let key: OpaquePointer
    private let algorithm: VerificationKey.Algorithm

    /// Reads a PEM key in PKCS #8, PKCS #1 or SEC 1; nil for a key of another kind, or an RSA key under 2,048 bits.
    package init?(pem: String, _ algorithm: VerificationKey.Algorithm = .rs256) {
        let read = Array(pem.utf8).withUnsafeBytes { bytes -> OpaquePointer? in
            // libcrypto does not copy the bytes: they must stay valid until the key is read.
            let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
            defer { BIO_free(memory) }
            // The callback stops libcrypto from asking for a passphrase on the terminal.
            return PEM_read_bio_PrivateKey(memory, nil, { _, _, _, _ in 0 }, nil)
        }
        guard let key = read else { return nil }
        let (kind, bits) = (EVP_PKEY_get_base_id(key), EVP_PKEY_get_bits(key))
        let isFit =
            switch algorithm {
            case .rs256: kind == EVP_PKEY_RSA && bits >= 2048
            case .es256: kind == EVP_PKEY_EC && bits == 256
            }
        guard isFit else {
            EVP_PKEY_free(key)
            return nil
        }
        self.key = key
        self.algorithm = algorithm
    }

    deinit { EVP_PKEY_free(key) }

    /// Signs a message; returns nil only when libcrypto fails.
    ///
    /// RSA's is as long as the key and takes about 1 ms with 2,048 bits. That of P-256 has 64 bytes and takes some 30 µs.
    package func signature(of message: some Collection<UInt8>) -> [UInt8]? {
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        let message = Array(message)
        var length = 0
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            EVP_DigestSign(context, nil, &length, message, message.count) == 1
        else { return nil }
        var signature = [UInt8](repeating: 0, count: length)
        guard EVP_DigestSign(context, &signature, &length, message, message.count) == 1 else { return nil }
        let made = Array(signature.prefix(length))
        return algorithm == .es256 ? PublicPoint.signature(of: made) : made
    }

    /// Returns true when this RSA key signed the message with this signature.
    package func isSignature(_ signature: some Collection<UInt8>, of message: some Collection<UInt8>) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        let (signature, message) = (Array(signature), Array(message))
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
