import Domain
import Foundation
import Runtime

/// A service key as its list shows it, without the secret.
struct ListedKey {
    static let scopes = Schema.array(
        .string(.oneOf(KeyScope.allCases.map(\.rawValue))),
        count: 1...KeyScope.allCases.count
    )

    private static let fields: [Schema.Field] = [
        .required("key_id", .uuid),
        .required("name", .string()),
        .required("scopes", .array(.string())),
        .required("status", .string(.oneOf(["valid", "expired", "revoked"]))),
        .required("created_at", .dateTime),
        .required("last_used_at", .dateTime.orNull.noted("To the minute.")),
        .required("expires_at", .dateTime.orNull),
        .required("revoked_at", .dateTime.orNull),
        .required("successor_id", .uuid.orNull.noted("The key that takes this one's place.")),
    ]

    static let schema = Schema.object(fields).named("ServiceKey")

    /// Shape of a key that was just made.
    static let made = Schema.object(
        fields + [
            .required("key", .string().orNull.noted("The secret, shown this once; null where the request is a repeat."))
        ]
    ).named("NewServiceKey")

    static let example: JSONValue = .object(members)

    static let madeExample: JSONValue = .object(
        members + [JSONValue.Member(name: "key", value: "hearth_…")]
    )

    private static let members: [JSONValue.Member] = [
        .init(name: "key_id", value: Examples.serviceKey), .init(name: "name", value: "backend"),
        .init(name: "scopes", value: ["turns", "patients:read"]), .init(name: "status", value: "valid"),
        .init(name: "created_at", value: "2026-03-01T08:05:00.000Z"), .init(name: "last_used_at", value: .null),
        .init(name: "expires_at", value: .null), .init(name: "revoked_at", value: .null),
        .init(name: "successor_id", value: .null),
    ]

    let key: ServiceKey
    /// The time at which the status holds.
    let date: Date

    var json: JSONValue { .object(members) }

    /// The version that `If-Match` names; the last use does not change it.
    var version: Int64 { EntityTags.version(of: json, without: ["last_used_at"]) }

    /// The key with its secret; null for a repeat.
    func json(secret: String?) -> JSONValue {
        .object(members + [JSONValue.Member(name: "key", value: .optional(secret))])
    }

    private var members: [JSONValue.Member] {
        [
            .init(name: "key_id", value: .string(key.id.description)),
            .init(name: "name", value: .string(key.name)),
            .init(name: "scopes", value: .strings(key.scopes.sorted().map(\.rawValue))),
            .init(name: "status", value: .string(status)),
            .init(name: "created_at", value: .string(RFC3339.text(key.createdAt))),
            .init(name: "last_used_at", value: .optional(key.lastUsedAt.map(RFC3339.text))),
            .init(name: "expires_at", value: .optional(key.expiresAt.map(RFC3339.text))),
            .init(name: "revoked_at", value: .optional(key.revokedAt.map(RFC3339.text))),
            .init(name: "successor_id", value: .optional(key.successor?.description)),
        ]
    }

    private var status: String {
        if key.revokedAt != nil { return "revoked" }
        return key.isExpired(at: date) ? "expired" : "valid"
    }
}
