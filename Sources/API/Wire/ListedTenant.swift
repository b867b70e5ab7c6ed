import Domain
import Runtime

/// A tenant in an answer.
struct ListedTenant {
    static let schema = Schema.object(
        .required("tenant_id", .uuid),
        .required("name", .string()),
        .required("created_at", .dateTime),
        .required("closed_at", .dateTime.orNull.noted("Since when its keys, users and devices are refused."))
    ).named("Tenant")

    static let example: JSONValue = [
        "tenant_id": "00000000-0000-4000-8000-000000000001", "name": "Hillside",
        "created_at": "2026-03-01T08:05:00.000Z", "closed_at": .null,
    ]

    let tenant: TenantEntry

    /// The version that `If-Match` names.
    var version: Int64 { EntityTags.version(of: json) }

    var json: JSONValue {
        [
            "tenant_id": .string(tenant.id.description),
            "name": .string(tenant.name),
            "created_at": .string(RFC3339.text(tenant.createdAt)),
            "closed_at": .optional(tenant.closedAt.map(RFC3339.text)),
        ]
    }
}
