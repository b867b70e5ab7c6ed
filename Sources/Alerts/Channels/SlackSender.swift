package import Conversation
import HTTPClient
package import Runtime

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
