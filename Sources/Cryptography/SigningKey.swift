import CCrypto

/// A private key that signs JSON Web Tokens: an RSA key for "RS256", or one on P-256 for "ES256" (RFC 7518, section 3).
///
/// `@unchecked Sendable`: libcrypto counts references to a key with atomics and never changes a key after reading it.
/// Each signature uses its own context.
package final class SigningKey: @unchecked Sendable {
    /// Sizes of RSA keys in bits: weaker ones are broken, and longer ones make each signature slow.
    private static let rsaBits: ClosedRange<Int32> = 2048...8192

    /// The only algorithm of the key.
    package let algorithm: VerificationKey.Algorithm
    private let key: OpaquePointer

    /// Reads a PEM key without a passphrase; nil for anything but an RSA key of 2,048 to 8,192 bits or one on P-256.
    package init?(pem: String) {
        let read = Array(pem.utf8).withUnsafeBytes { bytes -> OpaquePointer? in
            // libcrypto does not copy the bytes: they must stay valid until the key is read.
            let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
            defer { BIO_free(memory) }
            // The callback stops libcrypto from asking for a passphrase on the terminal.
            return PEM_read_bio_PrivateKey(memory, nil, { _, _, _, _ in 0 }, nil)
        }
        guard let key = read else { return nil }
        switch EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_RSA where Self.rsaBits.contains(EVP_PKEY_get_bits(key)): algorithm = .rs256
        case EVP_PKEY_EC where Self.isOnP256(key): algorithm = .es256
        default:
            EVP_PKEY_free(key)
            return nil
        }
        self.key = key
    }

    /// Reads a PEM key like ``init(pem:)``; nil as well for a key of another algorithm.
    package convenience init?(pem: String, _ wanted: VerificationKey.Algorithm) {
        self.init(pem: pem)
        guard algorithm == wanted else { return nil }
    }

    deinit { EVP_PKEY_free(key) }

    private static func isOnP256(_ key: OpaquePointer) -> Bool {
        var name = [CChar](repeating: 0, count: 64)
        guard EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1 else { return false }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) == "prime256v1"
    }

    /// Signs a message; nil only when libcrypto fails.
    ///
    /// An RSA signature is as long as the key and takes about 1 ms with 2,048 bits. One of ECDSA is the two numbers, 64
    /// bytes, and takes much less.
    package func signature(of message: some Collection<UInt8>) -> [UInt8]? {
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        let message = Array(message)
        var length = 0
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            EVP_DigestSign(context, nil, &length, message, message.count) == 1
        else { return nil }
        var signature = [UInt8](repeating: 0, count: length)
        guard EVP_DigestSign(context, &signature, &length, message, message.count) == 1 else { return nil }
        let made = Array(signature.prefix(length))
        return algorithm == .es256 ? PublicPoint.signature(ofSequence: made) : made
    }

    /// The public half in the numbers of a JSON Web Key, by their names (RFC 7518, section 6).
    package var publicNumbers: [String: [UInt8]]? {
        switch algorithm {
        case .rs256:
            guard let n = number(OSSL_PKEY_PARAM_RSA_N), let e = number(OSSL_PKEY_PARAM_RSA_E) else { return nil }
            return ["n": n, "e": e]
        case .es256:
            guard let x = number(OSSL_PKEY_PARAM_EC_PUB_X, bytes: 32),
                let y = number(OSSL_PKEY_PARAM_EC_PUB_Y, bytes: 32)
            else { return nil }
            return ["x": x, "y": y]
        }
    }

    /// The public half as a key that verifies.
    package var verificationKey: VerificationKey? {
        guard let numbers = publicNumbers else { return nil }
        if let n = numbers["n"], let e = numbers["e"] { return VerificationKey(modulus: n, exponent: e) }
        guard let x = numbers["x"], let y = numbers["y"] else { return nil }
        return VerificationKey(x: x, y: y)
    }

    /// A number of the key, most significant byte first, with leading zeros up to a length.
    private func number(_ name: String, bytes least: Int32 = 1) -> [UInt8]? {
        var value: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, name, &value) == 1, let value else { return nil }
        defer { BN_free(value) }
        let count = max(least, (BN_num_bits(value) + 7) / 8)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        return BN_bn2binpad(value, &bytes, count) == count ? bytes : nil
    }
}
