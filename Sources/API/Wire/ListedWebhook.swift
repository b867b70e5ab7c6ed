import Domain
import Foundation
import Runtime

/// A webhook as its list shows it, without the secret.
struct ListedWebhook {
    static let events = Schema.array(
        .string(.oneOf(WebhookEvent.allCases.map(\.rawValue))),
        count: 1...WebhookEvent.allCases.count
    )

    private static let fields: [Schema.Field] = [
        .required("webhook_id", .uuid),
        .required("url", .string()),
        .required("name", .string()),
        .required("events", .array(.string())),
        .required("created_at", .dateTime),
        .required("earlier_secret_until", .dateTime.orNull.noted("Until when the secret before signs too.")),
    ]

    static let schema = Schema.object(fields).named("Webhook")

    /// Shape of a webhook with a secret that was just made.
    static let made = Schema.object(
        fields + [
            .required(
                "secret",
                .string().orNull.noted("The signing secret, shown this once; null where the request is a repeat.")
            )
        ]
    ).named("NewWebhook")

    static let example: JSONValue = .object(members)
    static let madeExample: JSONValue = .object(members + [JSONValue.Member(name: "secret", value: "whsec_…")])

    private static let members: [JSONValue.Member] = [
        .init(name: "webhook_id", value: Examples.webhook), .init(name: "url", value: "https://example.org/hearth"),
        .init(name: "name", value: "backend"), .init(name: "events", value: ["alert.raised", "alert.resolved"]),
        .init(name: "created_at", value: "2026-03-01T08:05:00.000Z"),
        .init(name: "earlier_secret_until", value: .null),
    ]

    let webhook: Webhook
    /// The time at which the values hold.
    let date: Date

    var json: JSONValue { .object(members) }

    /// The version that `If-Match` names; another secret is another version.
    var version: Int64 { EntityTags.version(of: [json, .string(webhook.secret.description)]) }

    /// The webhook with its secret; null for a repeat.
    func json(secret: String?) -> JSONValue {
        .object(members + [JSONValue.Member(name: "secret", value: .optional(secret))])
    }

    private var members: [JSONValue.Member] {
        let until = webhook.earlierSecret.flatMap { $0.until > date ? RFC3339.text($0.until) : nil }
        return [
            .init(name: "webhook_id", value: .string(webhook.id.description)),
            .init(name: "url", value: .string(webhook.url)),
            .init(name: "name", value: .string(webhook.name)),
            .init(name: "events", value: .strings(webhook.events.sorted().map(\.rawValue))),
            .init(name: "created_at", value: .string(RFC3339.text(webhook.createdAt))),
            .init(name: "earlier_secret_until", value: .optional(until)),
        ]
    }
}

/// A delivery to a webhook as its list shows it.
struct ListedDelivery {
    static let schema = Schema.object(
        .required("event_id", .uuid.noted("The same at each attempt and for each webhook.")),
        .required("type", .string(.oneOf(WebhookEvent.allCases.map(\.rawValue)))),
        .required("alert_id", .uuid),
        .required("patient_id", .uuid),
        .required("at", .dateTime),
        .required("status", .string(.oneOf(WebhookDelivery.State.allCases.map(\.rawValue)))),
        .required("attempts", .integer(0...Int.max)),
        .required("http_status", .integer(100...999).orNull),
        .required("reason", .string().noted("Reason for which the last attempt failed; empty when it did not.")),
        .required("next_attempt_at", .dateTime.orNull),
        .required("settled_at", .dateTime.orNull)
    ).named("WebhookDelivery")

    static let example: JSONValue = [
        "event_id": Examples.message, "type": "alert.raised", "alert_id": Examples.alert,
        "patient_id": Examples.patient, "at": "2026-03-01T08:05:00.000Z", "status": "delivered", "attempts": 1,
        "http_status": 200, "reason": "", "next_attempt_at": .null, "settled_at": "2026-03-01T08:05:01.000Z",
    ]

    let delivery: WebhookDelivery

    var json: JSONValue {
        [
            "event_id": .string(delivery.id.description),
            "type": .string(delivery.event.rawValue),
            "alert_id": .string(delivery.alert.description),
            "patient_id": .string(delivery.patient.description),
            "at": .string(RFC3339.text(delivery.at)),
            "status": .string(delivery.progress.rawValue),
            "attempts": .integer(delivery.attempts),
            "http_status": delivery.status.map { .integer($0) } ?? .null,
            "reason": .string(delivery.reason),
            "next_attempt_at": .optional(delivery.dueAt.map(RFC3339.text)),
            "settled_at": .optional(delivery.settledAt.map(RFC3339.text)),
        ]
    }
}
