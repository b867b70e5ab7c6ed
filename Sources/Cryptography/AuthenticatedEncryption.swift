import CCrypto

/// AES-256-GCM (FIPS 197, NIST SP 800-38D): keeps bytes secret, and shows that nobody has changed them.
package struct AuthenticatedEncryption: Sendable {
    /// How many bytes a key has.
    package static let keyBytes = 32
    private static let nonceBytes = 12
    private static let tagBytes = 16

    private let key: [UInt8]

    /// Takes a key of 32 bytes.
    package init(key: [UInt8]) {
        precondition(key.count == Self.keyBytes, "a key of AES-256 has 32 bytes")
        self.key = key
    }

    /// Seals bytes under a nonce of their own: the nonce, the sealed bytes, the tag.
    ///
    /// - Parameter context: What the bytes belong to; it is not among them, and they open in no other.
    package func seal(_ plain: [UInt8], in context: [UInt8]) -> [UInt8] {
        let nonce = RandomToken.bytes(count: Self.nonceBytes)
        var tag = [UInt8](repeating: 0, count: Self.tagBytes)
        let sealed = work(plain, context, nonce, isSealing: true) { cipher in
            tag.withUnsafeMutableBytes {
                EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagBytes), $0.baseAddress) == 1
            }
        }
        guard let sealed else { preconditionFailure("libcrypto could not seal with AES-256-GCM") }
        return nonce + sealed + tag
    }

    /// Opens what was sealed in the same context under the same key; nil for anything else.
    package func open(_ sealed: [UInt8], in context: [UInt8]) -> [UInt8]? {
        guard sealed.count >= Self.nonceBytes + Self.tagBytes else { return nil }
        let nonce = Array(sealed.prefix(Self.nonceBytes))
        var tag = Array(sealed.suffix(Self.tagBytes))
        let body = Array(sealed.dropFirst(Self.nonceBytes).dropLast(Self.tagBytes))
        return work(body, context, nonce, isSealing: false) { cipher in
            tag.withUnsafeMutableBytes {
                EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagBytes), $0.baseAddress) == 1
            }
        }
    }

    /// Sends bytes through the cipher; nil when it refuses them, or their tag is another.
    private func work(
        _ input: [UInt8],
        _ context: [UInt8],
        _ nonce: [UInt8],
        isSealing: Bool,
        tag: (OpaquePointer) -> Bool
    ) -> [UInt8]? {
        guard let cipher = EVP_CIPHER_CTX_new() else { return nil }
        defer { EVP_CIPHER_CTX_free(cipher) }
        guard EVP_CipherInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nonce, isSealing ? 1 : 0) == 1 else { return nil }
        var written: Int32 = 0
        guard EVP_CipherUpdate(cipher, nil, &written, context, Int32(context.count)) == 1 else { return nil }
        var output = [UInt8](repeating: 0, count: input.count + Self.tagBytes)
        guard EVP_CipherUpdate(cipher, &output, &written, input, Int32(input.count)) == 1 else { return nil }
        let count = Int(written)
        if !isSealing, !tag(cipher) { return nil }
        var rest: Int32 = 0
        let isWhole = output.withUnsafeMutableBufferPointer { output in
            EVP_CipherFinal_ex(cipher, output.baseAddress.map { $0 + count }, &rest) == 1
        }
        guard isWhole, !isSealing || tag(cipher) else { return nil }
        return Array(output.prefix(count + Int(rest)))
    }
}
