import Cryptography
import Foundation

/// A Twilio account: authorises text messages and verifies callbacks.
package struct TwilioAccount: Sendable {
    /// Account identity, beginning with AC.
    package let sid: String
    /// The number that sends messages, or the messaging service beginning with MG.
    package let sender: String
    private let token: String

    /// Creates an account; returns nil when a part is empty.
    package init?(sid: String, token: String, sender: String) {
        guard !sid.isEmpty, !token.isEmpty, !sender.isEmpty else { return nil }
        (self.sid, self.token, self.sender) = (sid, token, sender)
    }

    /// Value of `Authorization` for requests to Twilio.
    var authorization: String { "Basic " + Data("\(sid):\(token)".utf8).base64EncodedString() }

    /// Computes `X-Twilio-Signature` for a callback: HMAC-SHA-1 over the URL and every parameter.
    ///
    /// The parameters follow in order of name without separators (Twilio, "Validating signatures").
    package func signature(url: String, _ parameters: [(String, String)]) -> String {
        let sorted = parameters.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        let text = url + sorted.map { $0.0 + $0.1 }.joined()
        return Data(LegacyAuthentication(key: Array(token.utf8)).code(for: Array(text.utf8))).base64EncodedString()
    }

    /// Returns true when the signature shows that Twilio sent the callback.
    package func isSignature(_ signature: String, url: String, _ parameters: [(String, String)]) -> Bool {
        ConstantTime.areEqual(Array(signature.utf8), Array(self.signature(url: url, parameters).utf8))
    }
}
