/// The content of a database: the version of its schema, and for each table the number and a checksum of its rows.
///
/// The checksum does not depend on the order of the rows and changes with any value of any row.
package struct DatabaseContent: Sendable, Equatable {
    /// The rows of a table.
    package struct Rows: Sendable, Equatable {
        /// The number of rows, in decimal digits.
        package let count: String
        /// The sum of their digests.
        package let sum: String

        package init(count: String, sum: String) {
            self.count = count
            self.sum = sum
        }
    }

    /// The newest migration.
    package let version: Int
    /// The checksum of the newest migration.
    package let checksum: String
    /// The rows by table.
    package let tables: [String: Rows]

    package init(version: Int, checksum: String, tables: [String: Rows]) {
        self.version = version
        self.checksum = checksum
        self.tables = tables
    }

    /// Returns the tables whose rows differ, in order.
    package func differences(from other: DatabaseContent) -> [String] {
        Set(tables.keys).union(other.tables.keys).filter { tables[$0] != other.tables[$0] }.sorted()
    }

    /// Reads the content in the session's transaction; a table costs one scan.
    static func read(_ session: borrowing AdminSession) throws(ServerError) -> DatabaseContent {
        // The text form of the rows must be the same in every session.
        try session.execute(
            "SET timezone = 'UTC'; SET datestyle = 'ISO'; SET bytea_output = 'hex'; SET row_security = off"
        )
        let newest = try session.rows("SELECT version, checksum FROM hearth.migrations ORDER BY version DESC LIMIT 1")
        let names = try session.rows(
            "SELECT relname FROM pg_class WHERE relnamespace = 'hearth'::regnamespace AND relkind IN ('r', 'p')"
        )
        var tables: [String: Rows] = [:]
        for name in names.map({ $0[0] }) {
            let rows = try session.rows(
                "SELECT count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) FROM hearth.\"\(name)\" t"
            )
            tables[name] = Rows(count: rows[0][0], sum: rows[0][1])
        }
        return DatabaseContent(
            version: newest.first.flatMap { Int($0[0]) } ?? 0,
            checksum: newest.first?[1] ?? "",
            tables: tables
        )
    }
}
