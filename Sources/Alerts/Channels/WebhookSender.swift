package import Conversation
import Foundation
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
