import CCrypto

/// HMAC-SHA-256 (RFC 2104, FIPS 198-1): proves that a message comes from a holder of the key.
package struct MessageAuthentication: Sendable {
    private let key: [UInt8]

    /// Creates the authentication from a key of 32 random bytes; hashes a key longer than 64 bytes first.
    package init(key: some Collection<UInt8>) {
        self.key = Array(key)
    }

    /// Returns the code of a message: 32 bytes.
    package func code(for message: some Collection<UInt8>) -> [UInt8] {
        let message = ContiguousArray(message)
        return [UInt8](unsafeUninitializedCapacity: Digest.byteCount) { output, count in
            var length = UInt32(Digest.byteCount)
            let made = key.withUnsafeBufferPointer { key in
                message.withUnsafeBufferPointer { message in
                    // OpenSSL reads a null key as "reuse the previous key", so an empty key still needs an address.
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

    /// Returns true when the code belongs to the message; takes the same time wherever they differ.
    package func isCode(_ code: some Collection<UInt8>, for message: some Collection<UInt8>) -> Bool {
        ConstantTime.areEqual(code, self.code(for: message))
    }
}
