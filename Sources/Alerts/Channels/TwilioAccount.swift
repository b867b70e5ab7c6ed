import Cryptography
import Foundation

/// An account with Twilio: what sends text messages, and what shows that a callback is Twilio's.
package struct TwilioAccount: Sendable {
    /// The account's name, beginning with AC.
    package let sid: String
    /// The number, or the messaging service beginning with MG, that messages come from.
    package let sender: String
    private let token: String

    /// Makes an account; nil when a part is empty.
    package init?(sid: String, token: String, sender: String) {
        guard !sid.isEmpty, !token.isEmpty, !sender.isEmpty else { return nil }
        (self.sid, self.token, self.sender) = (sid, token, sender)
    }

    /// The value of `Authorization` for requests to Twilio.
    var authorization: String { "Basic " + Data("\(sid):\(token)".utf8).base64EncodedString() }

    /// The value of `X-Twilio-Signature` for a callback: HMAC-SHA-1 over the URL and every parameter, in order of name,
    /// without anything between them (Twilio, "Validating signatures").
    package func signature(url: String, _ parameters: [(String, String)]) -> String {
        let sorted = parameters.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        let text = url + sorted.map { $0.0 + $0.1 }.joined()
        return Data(LegacyAuthentication(key: Array(token.utf8)).code(for: Array(text.utf8))).base64EncodedString()
    }

    /// Whether a callback comes from Twilio.
    package func isSignature(_ signature: String, url: String, _ parameters: [(String, String)]) -> Bool {
        ConstantTime.areEqual(Array(signature.utf8), Array(self.signature(url: url, parameters).utf8))
    }
}
