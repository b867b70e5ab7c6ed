package import Domain
import Foundation
package import Runtime

/// Stores users' second factors.
extension PostgresRecords: FactorRecords {
    package func factors(
        of user: UserID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> UserFactors? {
        let call = FactorStatements.find(.uuid(user.uuid))
        return try await read(tenant, on: .background, by: deadline, call)[0].first { row throws(RecordsError) in
            UserFactors(
                active: try row.readIfPresent(UUID.self).map { FactorID($0) },
                pending: try row.readIfPresent(UUID.self).map { FactorID($0) },
                lastStep: try row.read()
            )
        }
    }

    package func offer(
        _ factor: FactorID,
        to user: UserID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        let call = FactorStatements.offer(.uuid(user.uuid), .uuid(factor.uuid))
        return try await write(tenant, on: .background, by: deadline, [call])[0].affectedRows > 0
    }

    package func activate(
        _ factor: FactorID,
        of user: UserID,
        tenant: TenantID,
        usedUpTo step: Int64,
        backupCodes codes: [String],
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        let values: [PostgresValue] = [.uuid(user.uuid), .uuid(factor.uuid), .integer(step), .texts(codes)]
        let call = FactorStatements.activate(values + AuditStatements.values(audit))
        return try await write(tenant, on: .background, by: deadline, [call])[0].count > 0
    }

    package func use(
        _ step: Int64,
        of factor: FactorID,
        user: UserID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        let call = FactorStatements.use(.uuid(user.uuid), .uuid(factor.uuid), .integer(step))
        return try await write(tenant, on: .background, by: deadline, [call])[0].affectedRows > 0
    }

    package func useBackupCode(
        _ digest: String,
        of user: UserID,
        tenant: TenantID,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        let values: [PostgresValue] = [.uuid(user.uuid), .text(digest)]
        let call = FactorStatements.useCode(values + AuditStatements.values(audit))
        return try await write(tenant, on: .background, by: deadline, [call])[0].affectedRows > 0
    }

    package func removeFactors(
        of user: UserID,
        tenant: TenantID,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        let id = PostgresValue.uuid(user.uuid)
        let calls = [FactorStatements.removeCodes(id), FactorStatements.remove([id] + AuditStatements.values(audit))]
        return try await write(tenant, on: .background, by: deadline, calls)[1].affectedRows > 0
    }
}

/// The statements of second factors.
private enum FactorStatements {
    static let find = Statement(
        "factor_find",
        [.uuid],
        "SELECT factor_id, pending_factor_id, factor_step FROM users WHERE id = $1 AND is_active"
    )

    static let offer = Statement(
        "factor_offer",
        [.uuid, .uuid],
        "UPDATE users SET pending_factor_id = $2 WHERE id = $1 AND is_active"
    )

    static let activate = Statement(
        "factor_activate",
        [.uuid, .uuid, .int8, .textArray] + AuditStatements.types,
        """
        WITH activated AS (
            UPDATE users SET factor_id = $2, pending_factor_id = NULL, factor_step = $3
            WHERE id = $1 AND pending_factor_id = $2 AND is_active
            RETURNING id, tenant_id
        ), dropped AS (
            DELETE FROM backup_codes b USING activated a WHERE b.user_id = a.id AND b.digest <> ALL ($4)
        ), added AS (
            INSERT INTO backup_codes (tenant_id, user_id, digest)
            SELECT a.tenant_id, a.id, digest FROM activated a, unnest($4) AS n (digest)
        ), audited AS (
            \(AuditStatements.insert(from: "activated", after: 4))
        )
        SELECT id FROM activated
        """
    )

    static let use = Statement(
        "factor_use",
        [.uuid, .uuid, .int8],
        "UPDATE users SET factor_step = $3 WHERE id = $1 AND factor_id = $2 AND factor_step < $3 AND is_active"
    )

    static let useCode = Statement(
        "factor_use_code",
        [.uuid, .text] + AuditStatements.types,
        """
        WITH used AS (
            UPDATE backup_codes SET used_at = now() WHERE user_id = $1 AND digest = $2 AND used_at IS NULL
            RETURNING tenant_id
        )
        \(AuditStatements.insert(from: "used", after: 2))
        """
    )

    static let removeCodes = Statement("factor_remove_codes", [.uuid], "DELETE FROM backup_codes WHERE user_id = $1")

    static let remove = Statement(
        "factor_remove",
        [.uuid] + AuditStatements.types,
        """
        WITH removed AS (
            UPDATE users u SET factor_id = NULL, pending_factor_id = NULL
            FROM (SELECT id, factor_id FROM users WHERE id = $1) before
            WHERE u.id = before.id AND before.factor_id IS NOT NULL
            RETURNING u.tenant_id
        )
        \(AuditStatements.insert(from: "removed", after: 1))
        """
    )
}
