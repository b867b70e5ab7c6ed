import CCrypto

/// Creates unguessable secrets with libcrypto's generator, which the kernel seeds.
package enum RandomToken {
    /// The base64url alphabet (RFC 4648, section 5).
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Returns random bytes; stops the process when no randomness is available, because no secret can be made then.
    package static func bytes(count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let status = RAND_bytes(buffer.baseAddress, Int32(count))
            precondition(status == 1, "libcrypto has no randomness")
            initialized = count
        }
    }

    /// Returns a random text in the base64url alphabet: 43 characters carry 256 bits, 22 carry 132.
    package static func text(length: Int = 43) -> String {
        let letters = bytes(count: length).map { alphabet[Int($0 & 63)] }
        return String(decoding: letters, as: UTF8.self)
    }
}
