import CArgon2
import CCrypto

/// A stored secret that is slow to guess: an Argon2id hash (RFC 9106) in its encoded form.
///
/// Each hash costs 19 MiB and about 30 ms of one core. Run it on worker threads and bound the number that run at once.
package struct PasswordHash: Sendable, Equatable {
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
