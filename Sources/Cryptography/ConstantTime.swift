import CCrypto

/// Comparison of secrets in a time that does not tell where they differ.
package enum ConstantTime {
    /// Whether two runs of bytes are the same; only their lengths can be learnt from the time that it takes.
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
