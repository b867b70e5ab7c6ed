import Conversation

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
