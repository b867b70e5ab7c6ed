package import Foundation
package import Runtime

/// A key that a caller shows to act for a tenant; the key itself is never stored, only its digest.
package struct ServiceKey: Sendable, Equatable {
    /// Which key.
    package let id: ServiceKeyID
    /// The tenant that it acts for.
    package let tenant: TenantID
    /// What its owner calls it.
    package let name: String
    /// What it may do, such as "turns", "read", "operate".
    package let scopes: Set<String>
    /// When it was made.
    package let createdAt: Date
    /// When it was revoked; nil while it is good.
    package let revokedAt: Date?
    /// When it was last shown, to the minute; nil when never.
    package let lastUsedAt: Date?

    /// Makes a key from the record.
    package init(
        id: ServiceKeyID = ServiceKeyID(),
        tenant: TenantID,
        name: String,
        scopes: Set<String>,
        createdAt: Date,
        revokedAt: Date? = nil,
        lastUsedAt: Date? = nil
    ) {
        self.id = id
        self.tenant = tenant
        self.name = name
        self.scopes = scopes
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.lastUsedAt = lastUsedAt
    }
}

/// Which service key.
package typealias ServiceKeyID = ID<ServiceKey>

/// The service keys of all tenants.
package protocol ServiceKeyRecords: Sendable {
    /// The key with a digest that is not revoked; nil when there is none. Notes that it was used.
    ///
    /// The one read that comes before a tenant is known: whoever shows the digest sees that one key.
    ///
    /// - Parameter digest: SHA-256 of the key, in lower-case hexadecimal.
    func key(digest: String, by deadline: Deadline) async throws(RecordsError) -> ServiceKey?

    /// Whether a key of a digest is there and not revoked; its use is not noted.
    func confirm(digest: String, by deadline: Deadline) async throws(RecordsError) -> Bool

    /// Stores a new key of an open tenant.
    ///
    /// - Parameter digest: SHA-256 of the key, in lower-case hexadecimal.
    func store(_ key: ServiceKey, digest: String, by deadline: Deadline) async throws(RecordsError)

    /// Revokes a key and announces that to every replica; returns whether it was good until now.
    func revoke(_ key: ServiceKeyID, tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> Bool

    /// Every key of a tenant, revoked ones too, newest first.
    func keys(of tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> [ServiceKey]
}
