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

/// HMAC-SHA-1 (RFC 2104) for outside protocols that require it; use ``MessageAuthentication`` everywhere else.
package struct LegacyAuthentication: Sendable {
    private let key: [UInt8]

    /// Creates the authentication from a key, which must not be empty.
    package init(key: some Collection<UInt8>) {
        precondition(!key.isEmpty, "an empty key shows nothing")
        self.key = Array(key)
    }

    /// Returns the code of a message: 20 bytes.
    package func code(for message: some Collection<UInt8>) -> [UInt8] {
        let message = Array(message)
        var code = [UInt8](repeating: 0, count: 20)
        var length: UInt32 = 0
        let made = HMAC(EVP_sha1(), key, Int32(key.count), message, message.count, &code, &length)
        precondition(made != nil && length == 20, "libcrypto could not make an HMAC")
        return code
    }
}

/// Compares secrets in a time that does not reveal where they differ.
package enum ConstantTime {
    /// Returns true when both byte sequences are equal; the time reveals only their lengths.
    package static func areEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        let left = ContiguousArray(left)
        let right = ContiguousArray(right)
        return left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
            }
        }
    }
}
