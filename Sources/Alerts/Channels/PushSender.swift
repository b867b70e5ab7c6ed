package import Domain
import Foundation
package import Runtime

/// Sends notifications to contacts' telephones, through Firebase Cloud Messaging (HTTP v1) or to Apple directly.
///
/// The protocol has no idempotency key. The dispatch is the notification's tag, collapse identity and data, so that a
/// telephone shows a repeated notification once.
package struct PushSender: AlertSender {
    package let channel = AlertChannel.push
    private let firebase: FirebaseMessaging?
    private let apple: ApplePushing?

    /// Creates the sender over a project, an app of Apple's, or both.
    package init(_ firebase: FirebaseMessaging?, apple: ApplePushing? = nil) {
        self.firebase = firebase
        self.apple = apple
    }

    /// Creates the sender of a project.
    ///
    /// - Parameter base: The provider's address without a trailing slash.
    package init(
        _ account: ServiceAccount,
        _ provider: Provider,
        base: String = "https://fcm.googleapis.com",
        time: any TimeSource = SystemTime()
    ) {
        self.init(FirebaseMessaging(account, provider, base: base, time: time))
    }

    package func send(_ notice: AlertNotice, by deadline: Deadline) async throws(SendingFailure) -> SentNotice {
        guard let device = notice.contact?.device else { throw .invalidAddress(reason: "no device") }
        if let apple, ApplePushing.knows(device) {
            return SentNotice(providerID: try await apple.send(ApplePush(notice), to: device, by: deadline))
        }
        guard let firebase else { throw .refused(reason: "no provider knows the token") }
        return SentNotice(providerID: try await firebase.send(notice, to: device, by: deadline))
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
        let ttl: String
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
    /// The time for which the providers keep an alert for a telephone that is off.
    static let lifetime = Duration.seconds(3600)

    /// The fields that the app reads.
    static func data(of notice: AlertNotice) -> [String: String] {
        var data = [
            "type": "alert", "alert_id": notice.alert.description, "dispatch_id": notice.dispatch.description,
            "patient_id": notice.patient.description, "level": notice.level.rawValue,
            "category": notice.category.rawValue, "speak_text": notice.body,
        ]
        data["link"] = notice.link
        return data
    }

    init(_ notice: AlertNotice, token: String, at date: Date) {
        message = Message(
            token: token,
            notification: Notification(title: notice.title, body: String(notice.body.prefix(Self.bodyCharacters))),
            data: Self.data(of: notice),
            android: Android(
                ttl: "\(Int(Self.lifetime.seconds))s",
                notification: Android.Notification(tag: notice.dispatch.description)
            ),
            apns: Apple(
                headers: [
                    "apns-priority": "10", "apns-push-type": "alert", "apns-collapse-id": notice.dispatch.description,
                    "apns-expiration": Self.lifetime.expiration(at: date),
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
