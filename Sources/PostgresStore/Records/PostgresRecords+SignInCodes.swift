package import Domain
package import Foundation
package import Runtime

/// Stores the codes by which users sign in over their telephone number.
extension PostgresRecords: SignInCodeRecords {
    package func account(
        withPhone phone: String,
        of tenant: TenantID?,
        by deadline: Deadline
    ) async throws(RecordsError) -> User? {
        let call = SignInCodeStatements.account(.text(phone), .id(orNull: tenant))
        return try await run(.address(phone), isReadOnly: true, by: deadline, call)[0].first(UserStatements.read)
    }

    package func storeCode(
        _ digest: String,
        of user: User,
        expiresAt end: Date,
        by deadline: Deadline
    ) async throws(RecordsError) {
        let call = SignInCodeStatements.store(.id(user.id), .text(digest), .time(end))
        _ = try await write(user.tenant, on: .background, by: deadline, [call])
    }

    package func useCode(
        _ digest: String,
        of user: UserID,
        tenant: TenantID,
        atMost most: Int,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        let (id, most) = (PostgresValue.id(user), PostgresValue.int(most))
        let calls = [
            SignInCodeStatements.count(id, .time(date), most),
            SignInCodeStatements.use(id, .text(digest), .time(date), most),
            SignInCodeStatements.even(),
        ]
        let results = try await write(tenant, on: .background, by: deadline, calls)
        return results[0].affectedRows > 0 && results[1].affectedRows > 0
    }
}

/// The statements of codes.
private enum SignInCodeStatements {
    static let account = Statement(
        "code_account",
        [.text, .uuid],
        """
        SELECT \(UserStatements.columns) FROM users u WHERE u.phone = $1 AND u.is_active
            AND ($2::uuid IS NULL OR u.tenant_id = $2) AND \(TenantScope.isOpen(of: "u"))
            AND NOT EXISTS (
                SELECT FROM users o
                WHERE o.phone = u.phone AND o.is_active AND o.id <> u.id
                    AND ($2::uuid IS NULL OR o.tenant_id = $2) AND \(TenantScope.isOpen(of: "o"))
            )
        """
    )

    static let store = Statement(
        "code_store",
        [.uuid, .text, .timestamp],
        """
        INSERT INTO sign_in_codes (user_id, tenant_id, digest, expires_at)
        SELECT id, tenant_id, $2, $3 FROM users WHERE id = $1 AND is_active
        ON CONFLICT (user_id) DO UPDATE SET digest = excluded.digest, attempts = 0, expires_at = excluded.expires_at
        """
    )

    static let count = Statement(
        "code_count",
        [.uuid, .timestamp, .int8],
        "UPDATE sign_in_codes SET attempts = attempts + 1 WHERE user_id = $1 AND expires_at > $2 AND attempts < $3"
    )

    /// Makes the transaction wait for the disk whether or not a code was counted, so that its duration reveals nothing.
    static let even = Statement("code_even", [], "SELECT pg_logical_emit_message(true, 'hearth', '') IS NULL")

    static let use = Statement(
        "code_use",
        [.uuid, .text, .timestamp, .int8],
        "DELETE FROM sign_in_codes WHERE user_id = $1 AND digest = $2 AND expires_at > $3 AND attempts <= $4"
    )
}
