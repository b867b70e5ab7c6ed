package import Conversation
import HTTPClient
package import Runtime

/// Sends notifications through Firebase Cloud Messaging (HTTP v1).
///
/// The protocol has no idempotency key. The dispatch is the notification's tag, collapse identity and data, so that a
/// telephone shows a repeated notification once.
package struct PushSender: AlertSender {
    package let channel = AlertChannel.push
    private let provider: Provider
    private let tokens: AccessTokens
    private let url: String

    /// Creates the sender of a project.
    ///
    /// - Parameter base: The provider's address without a trailing slash.
    package init(
        _ account: ServiceAccount,
        _ provider: Provider,
        base: String = "https://fcm.googleapis.com",
        time: any TimeSource = SystemTime()
    ) {
        self.provider = provider
        tokens = AccessTokens(account, provider, time: time)
        url = "\(base)/v1/projects/\(account.project)/messages:send"
    }

    private struct Accepted: Decodable {
        let name: String
    }

    private struct Refused: Decodable {
        struct Failure: Decodable {
            struct Detail: Decodable {
                struct Violation: Decodable {
                    let field: String?
                }
                let errorCode: String?
                let fieldViolations: [Violation]?
            }
            let status: String?
            let details: [Detail]?
        }
        let error: Failure
    }

    package func send(_ notice: AlertNotice, by deadline: Deadline) async throws(SendingFailure) -> SentNotice {
        guard let device = notice.contact?.device else { throw .badAddress(reason: "no device") }
        let message = PushMessage(notice, token: device.token)
        let token = try await tokens.token()
        var answer = try await ask(message, token, by: deadline)
        if answer.status == 401 {
            tokens.forget(token)
            answer = try await ask(message, try await tokens.token(), by: deadline)
        }
        guard answer.status == 200, let accepted = answer.decoded(Accepted.self) else { throw Self.failure(answer) }
        return SentNotice(providerID: accepted.name)
    }

    private func ask(
        _ message: PushMessage,
        _ token: String,
        by deadline: Deadline
    ) async throws(SendingFailure) -> Provider.Answer {
        let headers = HeaderFields(["Authorization": "Bearer \(token)"])
        return try await provider.ask(Provider.json(url, message, headers: headers), by: deadline)
    }

    /// Maps a rejection; an unregistered token, one of another sender, or an invalid one is a bad address.
    private static func failure(_ answer: Provider.Answer) -> SendingFailure {
        let error = answer.decoded(Refused.self)?.error
        let code = error?.details?.compactMap(\.errorCode).first ?? error?.status ?? "status \(answer.status)"
        let fields = error?.details?.flatMap { $0.fieldViolations ?? [] }.compactMap(\.field) ?? []
        switch (answer.status, code) {
        case (404, "UNREGISTERED"), (403, "SENDER_ID_MISMATCH"): return .badAddress(reason: code)
        case (400, _) where fields.contains("message.token"): return .badAddress(reason: "the token is none")
        case (401, _): return .unavailable(reason: "the access token is not taken", retryAfter: nil)
        default: return answer.failure(code)
        }
    }
}
