import CCrypto

/// HMAC-SHA-256 (RFC 2104, FIPS 198-1): shows that bytes come from somebody who has the key.
package struct MessageAuthentication: Sendable {
    private let key: [UInt8]

    /// Takes a key; 32 random bytes are right, longer than 64 are hashed first.
    package init(key: some Collection<UInt8>) {
        self.key = Array(key)
    }

    /// The code of some bytes: 32 bytes.
    package func code(for message: some Collection<UInt8>) -> [UInt8] {
        let message = ContiguousArray(message)
        return [UInt8](unsafeUninitializedCapacity: Digest.byteCount) { output, count in
            var length = UInt32(Digest.byteCount)
            let made = key.withUnsafeBufferPointer { key in
                message.withUnsafeBufferPointer { message in
                    // OpenSSL takes a null key for "the key of before", so an empty key still needs an address.
                    withUnsafePointer(to: UInt8(0)) { none in
                        let address = key.baseAddress.map(UnsafeRawPointer.init) ?? UnsafeRawPointer(none)
                        let size = Int32(key.count)
                        return HMAC(
                            EVP_sha256(),
                            address,
                            size,
                            message.baseAddress,
                            message.count,
                            output.baseAddress,
                            &length
                        )
                    }
                }
            }
            precondition(made != nil && length == UInt32(Digest.byteCount), "libcrypto could not make an HMAC")
            count = Digest.byteCount
        }
    }

    /// Whether a code is that of some bytes; takes the same time wherever they differ.
    package func isCode(_ code: some Collection<UInt8>, for message: some Collection<UInt8>) -> Bool {
        ConstantTime.areEqual(code, self.code(for: message))
    }
}
