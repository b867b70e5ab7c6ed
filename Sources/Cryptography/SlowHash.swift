import CArgon2

/// A stored secret that is slow to guess: an Argon2id hash (RFC 9106) in its encoded form.
///
/// Each hash costs 19 MiB and about 30 ms of one core. Run it on worker threads and bound the number that run at once.
package struct SlowHash: Sendable, Equatable {
    /// Cost of a hash: 19 MiB of memory, two passes, one lane.
    private enum Work {
        static let kibibytes: UInt32 = 19_456
        static let passes: UInt32 = 2
        static let lanes: UInt32 = 1
        static let saltBytes = 16
        static let hashBytes = 32
    }

    /// Encoded form: parameters, salt and hash.
    package let text: String

    /// Wraps a stored hash.
    package init(text: String) {
        self.text = text
    }

    /// Hashes a secret with a new salt.
    package init(of secret: String) {
        let salt = RandomToken.bytes(count: Work.saltBytes)
        let size = argon2_encodedlen(
            Work.passes,
            Work.kibibytes,
            Work.lanes,
            UInt32(Work.saltBytes),
            UInt32(Work.hashBytes),
            Argon2_id
        )
        var encoded = [CChar](repeating: 0, count: size)
        let secret = Array(secret.utf8)
        let status = argon2id_hash_encoded(
            Work.passes,
            Work.kibibytes,
            Work.lanes,
            secret,
            secret.count,
            salt,
            salt.count,
            Work.hashBytes,
            &encoded,
            encoded.count
        )
        precondition(status == ARGON2_OK.rawValue, "libargon2 could not hash: \(status)")
        text = String(decoding: encoded.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns true when this is the hash of the secret; returns false when the stored text is no hash.
    package func isHash(of secret: String) -> Bool {
        let secret = Array(secret.utf8)
        return argon2id_verify(text, secret, secret.count) == ARGON2_OK.rawValue
    }
}
