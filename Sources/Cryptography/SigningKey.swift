import CCrypto

/// A private RSA key for "RS256" signatures in JSON Web Tokens (RSASSA-PKCS1-v1_5 with SHA-256, RFC 8017, section 8.2).
///
/// `@unchecked Sendable`: libcrypto counts references to a key with atomics and never changes a key after reading it.
/// Each signature uses its own context.
package final class SigningKey: @unchecked Sendable {
    private let key: OpaquePointer

    /// Reads a PEM key in PKCS #8 or PKCS #1; returns nil when the text holds no RSA key of at least 2,048 bits.
    package init?(pem: String) {
        let read = Array(pem.utf8).withUnsafeBytes { bytes -> OpaquePointer? in
            // libcrypto does not copy the bytes: they must stay valid until the key is read.
            let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
            defer { BIO_free(memory) }
            // The callback stops libcrypto from asking for a passphrase on the terminal.
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

    /// Signs a message; returns nil only when libcrypto fails.
    ///
    /// The signature is as long as the key. Signing with 2,048 bits takes about 1 ms.
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

    /// Returns true when this key signed the message with this signature.
    package func isSignature(_ signature: some Collection<UInt8>, of message: some Collection<UInt8>) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        let (signature, message) = (Array(signature), Array(message))
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
