import Cryptography
package import Foundation

/// The signature of a request to, or from, another server: the time and an HMAC-SHA-256 over the time and the body.
///
/// `t=<seconds since 1970>,v1=<hexadecimal>`; a request whose time is more than five minutes off is not taken, so that one
/// that was overheard cannot be sent again later.
package struct WebhookSignature: Sendable {
    /// Why a signature is not taken.
    package enum Failure: Error, Equatable {
        /// The header is not as we write it.
        case malformed
        /// The code is not that of the body.
        case forged
        /// The time is that many seconds off.
        case stale(seconds: Int)
    }

    /// The header field that it travels in.
    package static let header = "Hearth-Signature"
    private static let tolerance = 300

    private let authentication: MessageAuthentication

    /// Makes signatures with a secret.
    package init(secret: String) {
        authentication = MessageAuthentication(key: Array(secret.utf8))
    }

    /// The header's value for a body that is sent at a time.
    package func value(for body: [UInt8], at date: Date) -> String {
        let seconds = Int(date.timeIntervalSince1970)
        return "t=\(seconds),v1=\(Hexadecimal.text(of: code(seconds, body)))"
    }

    /// Takes a signature, or says why not.
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
