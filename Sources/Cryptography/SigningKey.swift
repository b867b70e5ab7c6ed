import CCrypto

/// A private RSA key that signs (RSASSA-PKCS1-v1_5 with SHA-256, RFC 8017, section 8.2): "RS256" in a JSON Web Token.
///
/// `@unchecked Sendable`: libcrypto counts references to a key with atomics and never changes one that has been read; each
/// signature has a context of its own.
package final class SigningKey: @unchecked Sendable {
    private let key: OpaquePointer

    /// Reads a key in PEM, as PKCS #8 or PKCS #1; nil when the text holds no RSA key of at least 2,048 bits.
    package init?(pem: String) {
        let read = Array(pem.utf8).withUnsafeBytes { bytes -> OpaquePointer? in
            // The bytes are not copied: they must outlive the reading.
            let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
            defer { BIO_free(memory) }
            // The callback keeps libcrypto from asking for a passphrase on the terminal.
            return PEM_read_bio_PrivateKey(memory, nil, { _, _, _, _ in 0 }, nil)
        }
        guard let key = read else { return nil }
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA, EVP_PKEY_get_bits(key) >= 2048 else {
            EVP_PKEY_free(key)
            return nil
        }
        self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    /// The signature of some bytes, as long as the key; nil only when libcrypto fails.
    ///
    /// About 1 ms for 2,048 bits.
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
        return Array(signature.prefix(length))
    }

    /// Whether a signature is this key's over some bytes.
    package func isSignature(_ signature: some Collection<UInt8>, of message: some Collection<UInt8>) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        let (signature, message) = (Array(signature), Array(message))
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
