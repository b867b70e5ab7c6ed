import Cryptography
package import Foundation

/// Signs requests between servers: the time, and an HMAC-SHA-256 over the time and the body.
///
/// The form is `t=<seconds since 1970>,v1=<hexadecimal>`. A request more than five minutes old or early is rejected, so
/// that an intercepted one cannot be replayed.
package struct WebhookSignature: Sendable {
    /// The reason for which a signature is rejected.
    package enum Failure: Error, Equatable {
        /// The header does not have the required form.
        case malformed
        /// The code does not belong to the body.
        case forged
        /// The time differs from now by this many seconds.
        case stale(seconds: Int)
    }

    /// Header field of the signature.
    package static let header = "Hearth-Signature"
    private static let tolerance = 300

    private let authentication: MessageAuthentication

    /// Creates signatures with a shared secret.
    package init(secret: String) {
        authentication = MessageAuthentication(key: Array(secret.utf8))
    }

    /// Returns the header's value for a body that is sent at a time.
    package func value(for body: [UInt8], at date: Date) -> String {
        let seconds = Int(date.timeIntervalSince1970)
        return "t=\(seconds),v1=\(Hexadecimal.text(of: code(seconds, body)))"
    }

    /// Verifies a signature; throws the reason when it is rejected.
    package func check(_ value: String, of body: [UInt8], at date: Date) throws(Failure) {
        let parts = value.split(separator: ",").map { $0.split(separator: "=", maxSplits: 1) }
        guard parts.count == 2, parts[0].count == 2, parts[0][0] == "t", let seconds = Int(parts[0][1]),
            parts[1].count == 2, parts[1][0] == "v1", let code = Hexadecimal.bytes(of: String(parts[1][1]))
        else { throw .malformed }
        guard authentication.isCode(code, for: signed(seconds, body)) else { throw .forged }
        let age = Int(date.timeIntervalSince1970) - seconds
        guard abs(age) <= Self.tolerance else { throw .stale(seconds: age) }
    }

    private func code(_ seconds: Int, _ body: [UInt8]) -> [UInt8] { authentication.code(for: signed(seconds, body)) }

    private func signed(_ seconds: Int, _ body: [UInt8]) -> [UInt8] { Array("\(seconds).".utf8) + body }
}
