import CCrypto

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
