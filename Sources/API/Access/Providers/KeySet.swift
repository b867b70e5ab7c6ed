import Cryptography
import Runtime

/// The public keys of an identity provider (RFC 7517), by their names.
package struct KeySet: Sendable {
    /// Largest number of keys that are read.
    private static let maximumKeys = 50

    private let keys: [String: VerificationKey]

    /// Reads a key set; nil when it holds no key that verifies RS256 or ES256.
    ///
    /// A key for another use, of another algorithm, or that is weak is left out.
    package init?(_ bytes: [UInt8]) {
        guard let json = try? JSONReader.read(bytes), let entries = json["keys"]?.array else { return nil }
        var keys: [String: VerificationKey] = [:]
        for entry in entries.prefix(Self.maximumKeys) {
            guard let name = entry["kid"]?.string, !name.isEmpty, let key = Self.key(entry) else { continue }
            keys[name] = key
        }
        guard !keys.isEmpty else { return nil }
        self.keys = keys
    }

    /// Returns the key of a name.
    func key(_ name: String) -> VerificationKey? { keys[name] }

    private static func key(_ entry: JSONValue) -> VerificationKey? {
        if let use = entry["use"]?.string, use != "sig" { return nil }
        if let uses = entry["key_ops"]?.array, !uses.contains(where: { $0.string == "verify" }) { return nil }
        func number(_ name: String) -> [UInt8]? { entry[name]?.string.flatMap { Base64URL.bytes(of: $0) } }
        let made: VerificationKey? =
            switch entry["kty"]?.string {
            case "RSA": number("n").flatMap { n in number("e").flatMap { VerificationKey(modulus: n, exponent: $0) } }
            case "EC" where entry["crv"]?.string == "P-256":
                number("x").flatMap { x in number("y").flatMap { VerificationKey(x: x, y: $0) } }
            default: nil
            }
        guard let made else { return nil }
        // A key that names its algorithm is good for no other.
        return (entry["alg"]?.string).map { $0 == made.algorithm.rawValue } ?? true ? made : nil
    }
}

/// A key set as it was fetched, with the time for which its provider lets it be kept.
package struct FetchedKeySet: Sendable {
    /// The bytes of the answer.
    package let bytes: [UInt8]
    /// The `max-age` of the answer; nil when it had none.
    package let maximumAge: Duration?

    package init(bytes: [UInt8], maximumAge: Duration?) {
        self.bytes = bytes
        self.maximumAge = maximumAge
    }
}
