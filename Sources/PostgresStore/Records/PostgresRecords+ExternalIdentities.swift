package import Domain
package import Foundation
package import Runtime

/// Stores which users the people of identity providers are.
extension PostgresRecords: ExternalIdentityRecords {
    package func user(
        of identity: ExternalIdentity,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> (user: User, links: [FamilyLink])? {
        let names: [PostgresValue] = [.text(identity.issuer), .text(identity.subject)]
        let results = try await read(
            tenant,
            by: deadline,
            ExternalIdentityStatements.find(names),
            ExternalIdentityStatements.links(names)
        )
        guard let user = try results[0].first(UserStatements.read) else { return nil }
        return (user, try results[1].map(UserSessionStatements.readLink))
    }

    package func link(
        _ identity: ExternalIdentity,
        toUserWith email: String,
        tenant: TenantID,
        at date: Date,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        let values: [PostgresValue] = [
            .text(identity.issuer), .text(identity.subject), .text(email), .time(date),
        ]
        let call = ExternalIdentityStatements.link(values + AuditStatements.values(audit))
        return try await write(tenant, on: .background, by: deadline, [call])[0].affectedRows > 0
    }
}

/// The statements of providers' people.
private enum ExternalIdentityStatements {
    private static let isFit = "u.is_active AND u.factor_id IS NULL AND u.role <> 'superadmin'"

    static let find = Statement(
        "identity_find",
        [.text, .text],
        """
        SELECT \(UserStatements.columns) FROM external_identities e JOIN users u ON u.id = e.user_id
        WHERE e.issuer = $1 AND e.subject = $2 AND \(isFit)
        """
    )

    static let links = Statement(
        "identity_links",
        [.text, .text],
        """
        SELECT l.patient_id, l.user_id, l.relation, l.scopes, l.created_at
        FROM external_identities e JOIN family_links l ON l.tenant_id = e.tenant_id AND l.user_id = e.user_id
        WHERE e.issuer = $1 AND e.subject = $2
        """
    )

    static let link = Statement(
        "identity_link",
        [.text, .text, .text, .timestamp] + AuditStatements.types,
        """
        WITH linked AS (
            INSERT INTO external_identities (tenant_id, issuer, subject, user_id, created_at)
            SELECT u.tenant_id, $1, $2, u.id, $4 FROM users u WHERE u.email = $3 AND \(isFit)
            ON CONFLICT DO NOTHING
            RETURNING tenant_id, user_id
        ), verified AS (
            UPDATE users u SET is_verified = true FROM linked l WHERE u.id = l.user_id
        )
        \(AuditStatements.insert(from: "linked", after: 4))
        """
    )
}
