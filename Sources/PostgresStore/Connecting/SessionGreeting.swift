import Conversation

/// The first statements of a session: take the role, find the schema and check that both are safe.
enum SessionGreeting {
    /// Sets the role and the schema for the whole session.
    ///
    /// `force_generic_plan`: every statement finds its rows by key, so a new plan for each value would bring nothing.
    static func assume(role: String) -> StatementCall {
        let statement = Statement(
            "greeting_assume",
            [.text],
            """
            SELECT set_config('search_path', 'hearth', false), set_config('plan_cache_mode', 'force_generic_plan', false),
                   set_config('role', $1, false)
            """
        )
        return statement(.text(role))
    }

    /// Asks whether the role bypasses row-level security and whether the tables exist.
    static let inspect = Statement(
        "greeting_inspect",
        [],
        """
        SELECT rolsuper OR rolbypassrls, to_regclass('hearth.messages') IS NOT NULL
        FROM pg_catalog.pg_roles WHERE rolname = current_user
        """
    )()

    /// Returns the reason for which the session may not be used; nil when it may.
    static func failure(in results: [PostgresResult], role: String) -> ConnectionFailure? {
        guard results.count == 2 else { return .broken(reason: "the session could not be set up") }
        let answer = try? results[1].first { row throws(RecordsError) in
            (seesAll: try row.read(Bool.self), hasTables: try row.read(Bool.self))
        }
        guard let answer else { return .broken(reason: "the role \(role) could not be inspected") }
        if answer.seesAll { return .roleSeesAll(role: role) }
        return answer.hasTables ? nil : .notMigrated
    }

    /// Maps an error of the set-up: an unknown role (22023) means that the database was never migrated.
    static func failure(_ error: ServerError, role: String) -> ConnectionFailure {
        switch error.code {
        case "22023": .notMigrated
        case "42501": .roleDenied(role: role, reason: error.message)
        default: .refused(reason: error.message)
        }
    }
}
