import Cryptography
package import Domain
package import Foundation
import HTTPClient
package import Runtime

/// Posts signed alerts to the operators' own system, with the dispatch as the idempotency key.
package struct WebhookSender: AlertSender {
    package let channel = AlertChannel.webhook
    private let url: String
    private let signature: WebhookSignature
    private let provider: Provider
    private let time: any TimeSource

    /// Creates the sender of an address.
    ///
    /// - Parameter secret: The secret shared with the receiver.
    package init(url: String, secret: String, _ provider: Provider, time: any TimeSource = SystemTime()) {
        self.url = url
        signature = WebhookSignature(secret: secret)
        self.provider = provider
        self.time = time
    }

    private struct Event: Encodable {
        let id: String
        let type = "alert.escalated"
        let alert_id: String
        let patient_id: String
        let level: String
        let category: String
        let text: String
    }

    /// Treats a 409 as success: the receiver already has the dispatch.
    package func send(_ notice: AlertNotice, by deadline: Deadline) async throws(SendingFailure) -> SentNotice {
        let event = Event(
            id: notice.dispatch.description,
            alert_id: notice.alert.description,
            patient_id: notice.patient.description,
            level: notice.level.rawValue,
            category: notice.category.rawValue,
            text: notice.body
        )
        var request = Provider.json(url, event)
        request.headers["Idempotency-Key"] = notice.dispatch.description
        request.headers[WebhookSignature.header] = signature.value(for: request.body, at: time.date)
        let answer = try await provider.ask(request, by: deadline)
        guard (200..<300).contains(answer.status) || answer.status == 409 else {
            throw answer.failure("status \(answer.status)")
        }
        return SentNotice()
    }
}

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

/// Writes to the operators' Slack channel through an incoming webhook.
package struct SlackSender: AlertSender {
    package let channel = AlertChannel.slack
    private let url: String
    private let provider: Provider

    /// Creates the sender from a webhook's URL, which is a secret.
    package init(url: String, _ provider: Provider) {
        self.url = url
        self.provider = provider
    }

    package func send(_ notice: AlertNotice, by deadline: Deadline) async throws(SendingFailure) -> SentNotice {
        try await page("*\(notice.title)*\n\(notice.body)", by: deadline)
        return SentNotice()
    }

    /// Posts a text; escapes `<`, `>` and `&` as Slack requires.
    package func page(_ text: String, by deadline: Deadline) async throws(SendingFailure) {
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        let answer = try await provider.ask(Provider.json(url, ["text": escaped]), by: deadline)
        guard answer.status == 200 else { throw answer.failure("Slack \(answer.status)") }
    }
}
