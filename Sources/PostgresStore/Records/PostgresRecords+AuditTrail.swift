package import Conversation
import Foundation
package import Runtime

/// Stores and reads the audit trail.
extension PostgresRecords: AuditTrail {
    package func audited(
        _ action: String,
        of tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> [AuditLine] {
        let call = AuditReading.list(.uuid(tenant.uuid), .text(action), .integer(Int64(limit)))
        return try await read(tenant, on: .background, by: deadline, call)[0].map { row throws(RecordsError) in
            AuditLine(
                at: try row.read(),
                actor: try row.read(),
                action: try row.read(),
                details: try row.readJSON([String: String].self) ?? [:]
            )
        }
    }
}

/// The statement that reads the audit trail.
enum AuditReading {
    static let list = Statement(
        "audit_list",
        [.uuid, .text, .int8],
        """
        SELECT at, actor, action, details FROM audit
        WHERE tenant_id = $1 AND action = $2
        ORDER BY at DESC, id DESC
        LIMIT $3
        """
    )
}
