package import Domain
import Foundation
package import Runtime

/// Stores service keys.
extension PostgresRecords: ServiceKeyRecords {
    package func key(digest: String, by deadline: Deadline) async throws(RecordsError) -> ServiceKey? {
        let results = try await run(
            .serviceKey(digest: digest),
            on: .turns,
            isReadOnly: true,
            by: deadline,
            ServiceKeyStatements.use(.text(digest)),
            ServiceKeyStatements.find(.text(digest))
        )
        return try results[1].first(ServiceKeyStatements.read)
    }

    package func confirm(digest: String, by deadline: Deadline) async throws(RecordsError) -> Bool {
        let call = ServiceKeyStatements.find(.text(digest))
        return try await run(.serviceKey(digest: digest), isReadOnly: true, by: deadline, call)[0].count > 0
    }

    package func store(_ key: ServiceKey, digest: String, by deadline: Deadline) async throws(RecordsError) {
        let call = ServiceKeyStatements.store(
            .uuid(key.id.uuid),
            .uuid(key.tenant.uuid),
            .text(key.name),
            .text(digest),
            .texts(key.scopes.sorted()),
            .time(key.createdAt)
        )
        _ = try await write(key.tenant, by: deadline, [call])
    }

    package func revoke(_ key: ServiceKeyID, tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> Bool
    {
        try await write(tenant, by: deadline, [ServiceKeyStatements.revoke(.uuid(key.uuid))])[0].count > 0
    }

    package func keys(of tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> [ServiceKey] {
        try await read(tenant, by: deadline, ServiceKeyStatements.list(.uuid(tenant.uuid)))[0].map(
            ServiceKeyStatements.read
        )
    }
}

/// The statements of service keys.
enum ServiceKeyStatements {
    private static let columns = "id, tenant_id, name, scopes, created_at, revoked_at, last_used_at"

    /// Notes the last use to the minute, so that a busy key does not cause a write on every request.
    static let use = Statement(
        "key_use",
        [.text],
        """
        UPDATE service_keys SET last_used_at = now()
        WHERE digest = $1 AND revoked_at IS NULL
            AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
        """
    )

    static let find = Statement(
        "key_find",
        [.text],
        "SELECT \(columns) FROM service_keys WHERE digest = $1 AND revoked_at IS NULL"
    )

    static let store = Statement(
        "key_store",
        [.uuid, .uuid, .text, .text, .textArray, .timestamp],
        """
        INSERT INTO service_keys (id, tenant_id, name, digest, scopes, created_at) VALUES ($1, $2, $3, $4, $5, $6)
        """
    )

    static let revoke = Statement(
        "key_revoke",
        [.uuid],
        """
        WITH revoked AS (
            UPDATE service_keys SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING digest
        )
        SELECT pg_notify('\(PostgresRecords.keyChannel)', digest) FROM revoked
        """
    )

    static let list = Statement(
        "key_list",
        [.uuid],
        "SELECT \(columns) FROM service_keys WHERE tenant_id = $1 ORDER BY created_at DESC, id"
    )

    static func read(_ row: inout PostgresRow) throws(RecordsError) -> ServiceKey {
        ServiceKey(
            id: try row.readID(),
            tenant: try row.readID(),
            name: try row.read(),
            scopes: Set(try row.read(StoredArray<String>.self).elements),
            createdAt: try row.read(),
            revokedAt: try row.readIfPresent(),
            lastUsedAt: try row.readIfPresent()
        )
    }
}
