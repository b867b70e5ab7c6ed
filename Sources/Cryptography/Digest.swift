import CCrypto

/// A SHA-256 digest (FIPS 180-4): 32 bytes that stand for any number of bytes.
package struct Digest: Hashable, Sendable, CustomStringConvertible {
    /// The digest's 32 bytes.
    package let bytes: [UInt8]

    /// Length of a digest in bytes.
    package static let byteCount = 32

    /// Computes the digest of some bytes; takes about 0.3 µs, and 0.5 µs more for each kilobyte.
    package static func sha256(_ bytes: some Collection<UInt8>) -> Digest {
        let contiguous = ContiguousArray(bytes)
        let digest = [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            contiguous.withUnsafeBufferPointer { input in
                _ = SHA256(input.baseAddress, input.count, output.baseAddress)
            }
            count = byteCount
        }
        return Digest(bytes: digest)
    }

    /// Computes the digest of a text's UTF-8 bytes.
    package static func sha256(_ text: String) -> Digest {
        sha256(text.utf8)
    }

    /// The digest as 64 lower-case hexadecimal digits.
    package var hex: String { Hexadecimal.text(of: bytes) }

    package var description: String { hex }
}
