import Cryptography
package import Foundation

/// The service account that may send notifications for a Firebase project, read from its key file.
package struct ServiceAccount: Sendable {
    /// Identity of the Firebase project.
    package let project: String
    /// Mail address of the account, which identifies it.
    package let email: String
    /// Address that issues access tokens.
    package let tokenURL: String
    private let keyID: String
    private let key: SigningKey

    private struct File: Decodable {
        let type: String
        let project_id: String
        let private_key_id: String
        let private_key: String
        let client_email: String
        let token_uri: String
    }

    /// Reads a key file; returns nil when it describes no service account or its key is no RSA key.
    package init?(json: some Collection<UInt8>) {
        guard let file = try? JSONDecoder().decode(File.self, from: Data(json)), file.type == "service_account",
            let key = SigningKey(pem: file.private_key), key.algorithm == .rs256
        else { return nil }
        (project, email, tokenURL) = (file.project_id, file.client_email, file.token_uri)
        (keyID, self.key) = (file.private_key_id, key)
    }

    private struct Header: Encodable {
        let alg = "RS256"
        let typ = "JWT"
        let kid: String
    }

    private struct Claims: Encodable {
        let iss: String
        let scope: String
        let aud: String
        let iat: Int
        let exp: Int
    }

    /// Signs a request for an access token (RFC 7523), valid for an hour; returns nil only when libcrypto fails.
    package func assertion(scope: String, at date: Date) -> String? {
        let now = Int(date.timeIntervalSince1970)
        let claims = Claims(iss: email, scope: scope, aud: tokenURL, iat: now, exp: now + 3600)
        return key.webToken(Header(kid: keyID), claims)
    }
}

extension SigningKey {
    /// Signs a token (RFC 7515, compact serialization); returns nil only when libcrypto fails.
    func webToken(_ header: some Encodable, _ claims: some Encodable) -> String? {
        guard let header = Self.part(header), let claims = Self.part(claims),
            let signature = signature(of: Array("\(header).\(claims)".utf8))
        else { return nil }
        return "\(header).\(claims).\(Base64URL.text(of: signature))"
    }

    private static func part(_ value: some Encodable) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { Base64URL.text(of: [UInt8]($0)) }
    }
}
