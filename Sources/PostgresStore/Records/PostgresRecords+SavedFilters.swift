package import Domain
package import Runtime

/// Stores the searches of operators.
extension PostgresRecords: SavedFilters {
    package static let maximumFilters = 20

    package func filters(
        of person: OperatorID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> [SavedFilter] {
        let call = SavedFilterStatements.list(.id(tenant), .id(person))
        return try await read(tenant, on: .background, by: deadline, call)[0].map { row throws(RecordsError) in
            SavedFilter(name: try row.read(), query: try row.read())
        }
    }

    package func save(
        _ filter: SavedFilter,
        of person: OperatorID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        let call = SavedFilterStatements.save(
            .id(tenant),
            .id(person),
            .text(filter.name),
            .text(filter.query),
            .int(Self.maximumFilters)
        )
        return try await write(tenant, on: .background, by: deadline, [call])[0].count > 0
    }

    package func removeFilter(
        named name: String,
        of person: OperatorID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        let call = SavedFilterStatements.remove(.id(tenant), .id(person), .text(name))
        return try await write(tenant, on: .background, by: deadline, [call])[0].count > 0
    }
}

/// The statements of saved searches.
private enum SavedFilterStatements {
    static let list = Statement(
        "filters_list",
        [.uuid, .uuid],
        "SELECT name, query FROM saved_filters WHERE tenant_id = $1 AND operator_id = $2 ORDER BY lower(name), name"
    )

    static let save = Statement(
        "filters_save",
        [.uuid, .uuid, .text, .text, .int8],
        """
        INSERT INTO saved_filters (tenant_id, operator_id, name, query)
        SELECT $1, $2, $3, $4
        WHERE (SELECT count(*) FROM saved_filters WHERE tenant_id = $1 AND operator_id = $2 AND name <> $3) < $5
        ON CONFLICT (tenant_id, operator_id, name) DO UPDATE SET query = excluded.query
        RETURNING name
        """
    )

    static let remove = Statement(
        "filters_remove",
        [.uuid, .uuid, .text],
        "DELETE FROM saved_filters WHERE tenant_id = $1 AND operator_id = $2 AND name = $3 RETURNING name"
    )
}
