package import Domain
package import Runtime

/// Stores and reads the audit trail.
extension PostgresRecords: AuditTrail {
    package func trail(
        of tenant: TenantID,
        action: String?,
        after cursor: AuditCursor?,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> (items: [AuditRecord], next: AuditCursor?) {
        let limit = AppReadStatements.held(limit)
        let values: [PostgresValue] = [
            .id(tenant), .text(orNull: action), .integer(cursor?.number ?? .max), .int(limit + 1),
        ]
        let rows = try await read(tenant, on: .background, by: deadline, AuditStatements.trail(values))[0]
            .map { row throws(RecordsError) in
                (number: try row.read(Int64.self), record: try AuditStatements.read(&row))
            }
        let items = rows.prefix(limit)
        let next = rows.count > limit ? items.last.map { AuditCursor(number: $0.number) } : nil
        return (items.map(\.record), next)
    }

    package func audited(
        _ action: String,
        of tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> [AuditRecord] {
        let call = AuditStatements.list(.id(tenant), .text(action), .int(limit))
        return try await read(tenant, on: .background, by: deadline, call)[0].map(AuditStatements.read)
    }
}

/// The statement that reads the audit trail, and the part of a statement that adds to it.
enum AuditStatements {
    /// Types of an entry's values at the end of a statement's parameters.
    static let types: [PostgresType] = [.text, .text, .uuid, .jsonb]

    /// The values of an entry; nil writes none.
    static func values(_ entry: AuditEntry?) -> [PostgresValue] {
        guard let entry else { return [.null, .null, .null, .null] }
        return [
            .text(entry.actor), .text(entry.action), .id(orNull: entry.patient),
            entry.details.isEmpty ? .null : StoredJSON.value(of: entry.details),
        ]
    }

    /// Adds the entry for each row of a table of the statement; its values follow the first `count` parameters.
    ///
    /// The act and its entry are written together or not at all.
    static func insert(from table: String, after count: Int) -> String {
        """
        INSERT INTO audit (tenant_id, actor, action, patient_id, details)
        SELECT tenant_id, $\(count + 1), $\(count + 2), $\(count + 3), $\(count + 4) FROM \(table)
        WHERE $\(count + 1)::text IS NOT NULL
        """
    }

    /// Orders entries by their numbers: a number finds a row faster than a time, which several entries may share.
    static let trail = Statement(
        "audit_trail",
        [.uuid, .text, .int8, .int8],
        """
        SELECT id, at, actor, action, details FROM audit
        WHERE tenant_id = $1 AND ($2::text IS NULL OR action = $2) AND id < $3
        ORDER BY id DESC
        LIMIT $4
        """
    )

    static func read(_ row: inout PostgresRow) throws(RecordsError) -> AuditRecord {
        AuditRecord(
            at: try row.read(),
            actor: try row.read(),
            action: try row.read(),
            details: try row.readJSON([String: String].self) ?? [:]
        )
    }

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
