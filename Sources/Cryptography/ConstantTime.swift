import CCrypto

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
