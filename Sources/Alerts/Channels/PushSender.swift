package import Domain
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
        guard let device = notice.contact?.device else { throw .invalidAddress(reason: "no device") }
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
        case (404, "UNREGISTERED"), (403, "SENDER_ID_MISMATCH"): return .invalidAddress(reason: code)
        case (400, _) where fields.contains("message.token"): return .invalidAddress(reason: "the token is invalid")
        case (401, _): return .unavailable(reason: "the access token was rejected", retryAfter: nil)
        default: return answer.failure(code)
        }
    }
}

/// A notification for Firebase Cloud Messaging, with the fields that wake both kinds of telephone.
struct PushMessage: Encodable {
    struct Message: Encodable {
        let token: String
        let notification: Notification
        let data: [String: String]
        let android: Android
        let apns: Apple
    }

    struct Notification: Encodable {
        let title: String
        let body: String
    }

    struct Android: Encodable {
        struct Notification: Encodable {
            let sound = "default"
            let channel_id = "alerts"
            let tag: String
        }
        let priority = "high"
        let ttl = "3600s"
        let notification: Notification
    }

    struct Apple: Encodable {
        struct Payload: Encodable {
            struct Notice: Encodable {
                let sound = "default"
                let contentAvailable = 1
                let interruptionLevel: String

                enum CodingKeys: String, CodingKey {
                    case sound
                    case contentAvailable = "content-available"
                    case interruptionLevel = "interruption-level"
                }
            }
            let aps: Notice
        }
        let headers: [String: String]
        let payload: Payload
    }

    let message: Message

    /// Longest body in characters; lock screens cut longer text.
    private static let bodyCharacters = 240

    init(_ notice: AlertNotice, token: String) {
        var data = [
            "type": "alert", "alert_id": notice.alert.description, "dispatch_id": notice.dispatch.description,
            "patient_id": notice.patient.description, "level": notice.level.rawValue,
            "category": notice.category.rawValue, "speak_text": notice.body,
        ]
        data["link"] = notice.link
        message = Message(
            token: token,
            notification: Notification(title: notice.title, body: String(notice.body.prefix(Self.bodyCharacters))),
            data: data,
            android: Android(notification: Android.Notification(tag: notice.dispatch.description)),
            apns: Apple(
                headers: [
                    "apns-priority": "10", "apns-push-type": "alert", "apns-collapse-id": notice.dispatch.description,
                ],
                payload: Apple.Payload(
                    aps: Apple.Payload.Notice(
                        interruptionLevel: notice.level >= .high ? "time-sensitive" : "active"
                    )
                )
            )
        )
    }
}
