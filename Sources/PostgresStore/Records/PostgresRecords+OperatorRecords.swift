package import Domain
package import Foundation
package import Runtime

/// Stores operators and their sessions.
extension PostgresRecords: OperatorRecords {
    package func store(_ person: Operator, keyHash: String, by deadline: Deadline) async throws(RecordsError) {
        let call = OperatorStatements.store(
            .uuid(person.id.uuid),
            .uuid(person.tenant.uuid),
            .text(person.name),
            .text(person.role.rawValue),
            .text(keyHash),
            .time(person.createdAt)
        )
        _ = try await write(person.tenant, on: .background, by: deadline, [call])
    }

    package func store(user person: Operator, keyHash: String, by deadline: Deadline) async throws(RecordsError) -> Bool
    {
        let call = OperatorStatements.storeUser(
            .uuid(person.id.uuid),
            .uuid(person.tenant.uuid),
            .text(person.name),
            // The release before knows no readers.
            .text((person.role == .reader ? .viewer : person.role).rawValue),
            .text(keyHash),
            .time(person.createdAt)
        )
        return try await write(person.tenant, on: .background, by: deadline, [call])[0].count > 0
    }

    package func operators(of tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> [Operator] {
        let call = OperatorStatements.list(.uuid(tenant.uuid))
        return try await read(tenant, on: .background, by: deadline, call)[0].map(OperatorStatements.read)
    }

    package func revoke(
        _ person: OperatorID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        let id = PostgresValue.uuid(person.uuid)
        let calls = [OperatorStatements.revoke(id), OperatorStatements.endAll(id)]
        return try await write(tenant, on: .background, by: deadline, calls)[0].affectedRows > 0
    }

    package func attemptSignIn(
        _ person: OperatorID,
        at date: Date,
        penalties: [Duration],
        by deadline: Deadline
    ) async throws(RecordsError) -> SignInAttempt? {
        let seconds = penalties.map { $0.components.seconds }
        let results = try await run(
            .operator(person),
            by: deadline,
            OperatorStatements.find(.uuid(person.uuid)),
            OperatorStatements.attempt(.uuid(person.uuid), .time(date), .integers(seconds))
        )
        return try results[0].first { row throws(RecordsError) in
            let found = try OperatorStatements.read(&row)
            let hash: String = try row.read()
            let until: Date? = try row.readIfPresent()
            return SignInAttempt(operator: found, keyHash: hash, refusedUntil: until.flatMap { $0 > date ? $0 : nil })
        }
    }

    package func giveBackAttempt(of person: OperatorID, by deadline: Deadline) async throws(RecordsError) {
        _ = try await run(.operator(person), by: deadline, OperatorStatements.giveBack(.uuid(person.uuid)))
    }

    package func open(
        _ session: OperatorSession,
        forgettingBefore date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) {
        let person = session.operator
        let calls = [
            OperatorStatements.forget(.uuid(person.id.uuid), .time(date)),
            OperatorStatements.welcome(.uuid(person.id.uuid), .time(session.createdAt)),
            OperatorStatements.open(
                .text(session.digest),
                .uuid(person.tenant.uuid),
                .uuid(person.id.uuid),
                .time(session.createdAt)
            ),
        ]
        _ = try await write(person.tenant, on: .background, by: deadline, calls)
    }

    package func session(
        digest: String,
        at date: Date,
        isUse: Bool,
        by deadline: Deadline
    ) async throws(RecordsError) -> OperatorSession? {
        let find = OperatorStatements.session(.text(digest))
        let calls = isUse ? [find, OperatorStatements.use(.text(digest), .time(date))] : [find]
        let results = try await run(.session(digest: digest), isReadOnly: !isUse, by: deadline, calls)
        return try results[0].first { row throws(RecordsError) in
            let found = try OperatorStatements.read(&row)
            let (created, seen): (Date, Date) = (try row.read(), try row.read())
            let user = try row.readIfPresent(UUID.self)
            let person = user == nil ? found : try OperatorStatements.present(found, &row)
            return person.map { OperatorSession(digest: digest, operator: $0, createdAt: created, seenAt: seen) }
        } ?? nil
    }

    package func end(_ session: OperatorSession, by deadline: Deadline) async throws(RecordsError) {
        _ = try await write(
            session.operator.tenant,
            on: .background,
            by: deadline,
            [OperatorStatements.end(.text(session.digest))]
        )
    }
}

/// The statements of operators and their sessions.
enum OperatorStatements {
    private static let columns =
        "o.id, o.tenant_id, o.name, o.role, o.created_at, o.revoked_at, o.signed_in_at"

    static let store = Statement(
        "operator_store",
        [.uuid, .uuid, .text, .text, .text, .timestamp],
        """
        INSERT INTO operators (id, tenant_id, name, role, key_hash, created_at) VALUES ($1, $2, $3, $4, $5, $6)
        """
    )

    static let storeUser = Statement(
        "operator_store_user",
        [.uuid, .uuid, .text, .text, .text, .timestamp],
        """
        INSERT INTO operators AS o (id, tenant_id, name, role, key_hash, created_at, user_id)
        SELECT $1, $2, $3, $4, $5, $6, u.id FROM users u WHERE u.id = $1 AND u.is_active AND \(TenantScope.isOpen)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, role = excluded.role
        WHERE o.user_id = excluded.user_id AND o.revoked_at IS NULL
        RETURNING o.id
        """
    )

    /// The operator as the user is now; nil when the account is closed or has a role that the console does not know.
    static func present(_ person: Operator, _ row: inout PostgresRow) throws(RecordsError) -> Operator? {
        let name = try row.readIfPresent(String.self)
        guard let role = try row.readIfPresent(String.self).flatMap(UserRole.init), let name,
            let atConsole = role.atConsole
        else { return nil }
        return Operator(
            id: person.id,
            tenant: person.tenant,
            name: name,
            role: atConsole,
            createdAt: person.createdAt,
            signedInAt: person.signedInAt,
            userRole: role
        )
    }

    /// True for the holder of a key, and for a user who may still answer alerts.
    static func answers(_ table: String) -> String {
        """
        (\(table).user_id IS NULL OR EXISTS (
            SELECT 1 FROM users u WHERE u.id = \(table).user_id AND u.is_active
                AND u.role IN ('superadmin', 'admin', 'manager')))
        """
    }

    static let colleagues = Statement(
        "operator_colleagues",
        [.uuid],
        """
        SELECT \(columns) FROM operators o
        WHERE o.tenant_id = $1 AND o.revoked_at IS NULL AND o.role IN ('operator', 'admin') AND \(answers("o"))
        ORDER BY o.name, o.id
        """
    )

    static let list = Statement(
        "operator_list",
        [.uuid],
        "SELECT \(columns) FROM operators o WHERE o.tenant_id = $1 ORDER BY o.created_at DESC, o.id"
    )

    static let revoke = Statement(
        "operator_revoke",
        [.uuid],
        "UPDATE operators SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL"
    )

    static let endAll = Statement(
        "operator_end_sessions",
        [.uuid],
        "DELETE FROM operator_sessions WHERE operator_id = $1"
    )

    /// Finds an operator and locks the row, so that concurrent attempts see each other's count.
    static let find = Statement(
        "operator_find",
        [.uuid],
        "SELECT \(columns), o.key_hash, o.refused_until FROM operators o WHERE o.id = $1 FOR UPDATE"
    )

    static let attempt = Statement(
        "operator_attempt",
        [.uuid, .timestamp, .int8Array],
        """
        UPDATE operators SET
            attempts = attempts + 1,
            refused_until = $2 + make_interval(secs => $3[least(attempts + 1, cardinality($3))])
        WHERE id = $1 AND (refused_until IS NULL OR refused_until <= $2)
        """
    )

    static let giveBack = Statement(
        "operator_give_back_attempt",
        [.uuid],
        "UPDATE operators SET attempts = attempts - 1, refused_until = NULL WHERE id = $1 AND attempts > 0"
    )

    static let forget = Statement(
        "operator_forget_sessions",
        [.uuid, .timestamp],
        "DELETE FROM operator_sessions WHERE operator_id = $1 AND created_at < $2"
    )

    static let welcome = Statement(
        "operator_welcome",
        [.uuid, .timestamp],
        "UPDATE operators SET attempts = 0, refused_until = NULL, signed_in_at = $2 WHERE id = $1"
    )

    static let open = Statement(
        "operator_open_session",
        [.text, .uuid, .uuid, .timestamp],
        """
        INSERT INTO operator_sessions (digest, tenant_id, operator_id, created_at, seen_at) VALUES ($1, $2, $3, $4, $4)
        """
    )

    static let session = Statement(
        "operator_session",
        [.text],
        """
        SELECT \(columns), s.created_at, s.seen_at, o.user_id, u.name, u.role
        FROM operator_sessions s JOIN operators o ON o.id = s.operator_id
        LEFT JOIN users u ON u.id = o.user_id AND u.is_active AND \(TenantScope.isOpen(of: "u"))
        WHERE s.digest = $1 AND o.revoked_at IS NULL
        """
    )

    static let use = Statement(
        "operator_use_session",
        [.text, .timestamp],
        "UPDATE operator_sessions SET seen_at = $2 WHERE digest = $1 AND seen_at < $2 - interval '1 minute'"
    )

    static let end = Statement(
        "operator_end_session",
        [.text],
        "DELETE FROM operator_sessions WHERE digest = $1"
    )

    static func read(_ row: inout PostgresRow) throws(RecordsError) -> Operator {
        Operator(
            id: try row.readID(),
            tenant: try row.readID(),
            name: try row.read(),
            role: try row.readWord(),
            createdAt: try row.read(),
            revokedAt: try row.readIfPresent(),
            signedInAt: try row.readIfPresent()
        )
    }
}

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
            .uuid(tenant.uuid), .text(orNull: action), .integer(cursor?.number ?? .max), .integer(Int64(limit + 1)),
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
        let call = AuditStatements.list(.uuid(tenant.uuid), .text(action), .integer(Int64(limit)))
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
            .text(entry.actor), .text(entry.action), .uuid(orNull: entry.patient?.uuid),
            entry.details.isEmpty ? .null : StoredJSON.value(of: entry.details),
        ]
    }

    /// Adds the entry for each row of a table of the statement, after so many parameters: with the act, or not at all.
    static func insert(from table: String, after count: Int) -> String {
        """
        INSERT INTO audit (tenant_id, actor, action, patient_id, details)
        SELECT tenant_id, $\(count + 1), $\(count + 2), $\(count + 3), $\(count + 4) FROM \(table)
        WHERE $\(count + 1)::text IS NOT NULL
        """
    }

    /// Entries go by their numbers: a row is found there sooner than by its time, of which several may be the same.
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
