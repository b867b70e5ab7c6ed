package import Domain
import Foundation
package import Runtime

/// A push to a patient's own telephone.
package struct DevicePush: Sendable, Equatable {
    /// The text on the locked screen; a push without it is silent.
    package struct Shown: Sendable, Equatable {
        /// The title.
        package let title: String
        /// The text below it.
        package let body: String

        package init(title: String, body: String) {
            self.title = title
            self.body = body
        }
    }

    /// The telephone.
    package let device: ContactDetails.Device
    /// The collapse identity, at most 64 bytes; a telephone shows a repeated push once.
    package let key: String
    /// The text on the locked screen; nil for a silent push, which starts the app and shows nothing.
    package let shown: Shown?
    /// The fields that the app reads.
    package let data: [String: String]
    /// The time for which the provider keeps the push for an unreachable telephone.
    package let timeToLive: Duration

    package init(
        to device: ContactDetails.Device,
        key: String,
        shown: Shown?,
        data: [String: String],
        timeToLive: Duration
    ) {
        self.device = device
        self.key = key
        self.shown = shown
        self.data = data
        self.timeToLive = timeToLive
    }
}

/// Sends pushes to patients' telephones.
package protocol DevicePushing: Sendable {
    /// Sends a push; returns the provider's identity of it.
    func send(_ push: DevicePush, by deadline: Deadline) async throws(SendingFailure) -> String
}

/// The implementation without a provider of pushes; it refuses every push.
package struct NoDevicePushing: DevicePushing {
    package init() {}

    package func send(_ push: DevicePush, by deadline: Deadline) async throws(SendingFailure) -> String {
        throw .unavailable(reason: "no provider of pushes is configured", retryAfter: nil)
    }
}

/// A push in the form of Firebase Cloud Messaging, with the fields that wake both kinds of telephone.
struct DevicePushMessage: Encodable, Sendable {
    struct Message: Encodable, Sendable {
        let token: String
        let notification: Notification?
        let data: [String: String]
        let android: Android
        let apns: Apple
    }

    struct Notification: Encodable, Sendable {
        let title: String
        let body: String
    }

    struct Android: Encodable, Sendable {
        struct Notification: Encodable, Sendable {
            let sound = "default"
            let channel_id = "reminders"
            let tag: String
        }
        let priority = "high"
        let ttl: String
        let collapse_key: String
        let notification: Notification?
    }

    struct Apple: Encodable, Sendable {
        struct Payload: Encodable, Sendable {
            struct Notice: Encodable, Sendable {
                let sound: String?
                let contentAvailable = 1

                enum CodingKeys: String, CodingKey {
                    case sound
                    case contentAvailable = "content-available"
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

    /// Creates the message.
    ///
    /// Firebase's time to live holds for Android alone, so the message also tells Apple until when to keep the push.
    init(_ push: DevicePush, at date: Date) {
        message = Message(
            token: push.device.token,
            notification: push.shown.map {
                Notification(title: $0.title, body: String($0.body.prefix(Self.bodyCharacters)))
            },
            data: push.data,
            android: Android(
                ttl: "\(Int(push.timeToLive.seconds))s",
                collapse_key: push.key,
                notification: push.shown.map { _ in Android.Notification(tag: push.key) }
            ),
            apns: Apple(
                headers: [
                    "apns-priority": push.shown == nil ? "5" : "10",
                    "apns-push-type": push.shown == nil ? "background" : "alert",
                    "apns-collapse-id": push.key, "apns-expiration": push.timeToLive.expiration(at: date),
                ],
                payload: Apple.Payload(aps: Apple.Payload.Notice(sound: push.shown.map { _ in "default" }))
            )
        )
    }
}

extension Duration {
    /// Returns the end of a push's time to live in seconds since 1970, as Apple reads it; "0" means one attempt.
    func expiration(at date: Date) -> String {
        Int(seconds) > 0 ? String(Int(date.timeIntervalSince1970) + Int(seconds)) : "0"
    }
}
